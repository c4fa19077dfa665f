package dev.latchkey.idempotency.impl.flow;

import dev.latchkey.idempotency.LostOwner;
import dev.latchkey.idempotency.spi.Claim;
import dev.latchkey.idempotency.spi.ClaimRequest;
import dev.latchkey.idempotency.spi.ClaimRequest.Mode;
import dev.latchkey.idempotency.spi.Fingerprint;
import dev.latchkey.idempotency.spi.Outline;
import dev.latchkey.idempotency.spi.ScopedKey;
import dev.latchkey.idempotency.spi.Token;

/**
 * What a request asks for, apart from who asks.
 *
 * @param key its key in scope
 * @param fingerprint of the request
 * @param outline its sketch
 * @param terms of its handler
 */
public record Operation(ScopedKey key, Fingerprint fingerprint, Outline outline, Terms terms) {

  /** The claim that a request of its own makes. */
  ClaimRequest arrival(Token token) {
    Mode mode = terms.onLostOwner() == LostOwner.REPORT ? Mode.NO_TAKEOVER : Mode.ARRIVAL;
    return claim(token, mode);
  }

  /** The claim that is made for those who waited. */
  ClaimRequest takeover(Token token) {
    return claim(token, Mode.TAKEOVER);
  }

  private ClaimRequest claim(Token token, Mode mode) {
    return new ClaimRequest(
        new Claim(key, fingerprint, token, terms.leaseMillis()),
        terms.retentionMillis(),
        outline,
        mode,
        terms.effectsInStore());
  }
}
