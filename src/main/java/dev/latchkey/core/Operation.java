package dev.latchkey.core;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimRequest.Mode;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.Token;

/**
 * What a request asks for, apart from who asks.
 *
 * @param key its key in scope
 * @param fingerprint of the request
 * @param policy of its handler
 */
public record Operation(ScopedKey key, Fingerprint fingerprint, ClaimPolicy policy) {

  /** The claim that a request of its own makes. */
  ClaimRequest arrival(Token token) {
    Mode mode = policy.onLostOwner() == LostOwner.REPORT ? Mode.NO_TAKEOVER : Mode.ARRIVAL;
    return claim(token, mode);
  }

  /** The claim that is made for those who waited. */
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
