package dev.latchkey.core;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimRequest.Mode;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.Token;

/**
 * The operation that a request asks for.
 *
 * @param key the idempotency key in its scope
 * @param fingerprint of the request
 * @param policy the settings of its handler
 */
public record Operation(ScopedKey key, Fingerprint fingerprint, ClaimPolicy policy) {

  /** Makes the claim of a new request. */
  ClaimRequest arrival(Token token) {
    Mode mode = policy.onLostOwner() == LostOwner.REPORT ? Mode.NO_TAKEOVER : Mode.ARRIVAL;
    return claim(token, mode);
  }

  /** Makes the claim for waiters. */
  ClaimRequest takeover(Token token) {
    return claim(token, Mode.TAKEOVER);
  }

  private ClaimRequest claim(Token token, Mode mode) {
    return new ClaimRequest(
        new Claim(key, fingerprint, token, policy.leaseMillis()),
        policy.retentionMillis(),
        mode,
        policy.effectsInStore());
  }
}
