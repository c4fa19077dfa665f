package dev.latchkey.store.hybrid;

import dev.latchkey.idempotency.spi.Claim;
import dev.latchkey.idempotency.spi.ClaimRequest;
import dev.latchkey.idempotency.spi.ClaimResult.Claimed;
import dev.latchkey.idempotency.spi.Outline;
import dev.latchkey.idempotency.spi.Token;
import dev.latchkey.store.Receipts.Attempted;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * What a granted claim said of its key, kept until the claim has ended: a receipt repeats it. Safe
 * for use by any thread. Bounded: a claim past the bound is refused before anything runs.
 */
final class Granted {

  /** More than a node runs at a time, claims whose end is still pursued included. */
  static final int MAX_CLAIMS = 65_536;

  private record Terms(
      Outline outline,
      int attempt,
      long createdAtEpochMillis,
      long expiresAtEpochMillis,
      long keptMillis,
      long askedAtNanos) {}

  private final Map<Token, Terms> terms = new ConcurrentHashMap<>();
  private final LongSupplier nanos;
  private final int maxClaims;

  Granted(LongSupplier nanos, int maxClaims) {
    this.nanos = nanos;
    this.maxClaims = maxClaims;
  }

  long nowNanos() {
    return nanos.getAsLong();
  }

  /** Takes note of a grant; false when there is no room. */
  boolean add(ClaimRequest request, Claimed claimed, long askedAtNanos) {
    if (terms.size() >= maxClaims && !makeRoom()) {
      return false;
    }
    long expiresAt = claimed.expiry().atEpochMillis();
    terms.put(
        request.claim().token(),
        new Terms(
            request.outline(),
            claimed.attempt(),
            expiresAt - request.retentionMillis(),
            expiresAt,
            claimed.expiry().inMillis(),
            askedAtNanos));
    return true;
  }

  private boolean makeRoom() {
    terms.values().removeIf(it -> leftMillis(it) <= 0);
    return terms.size() < maxClaims;
  }

  private long leftMillis(Terms of) {
    return of.keptMillis() - (nanos.getAsLong() - of.askedAtNanos()) / 1_000_000;
  }

  /** What a receipt is to say; empty for a claim that was not granted here, or has ended. */
  Optional<Attempted> find(Claim claim) {
    return Optional.ofNullable(terms.get(claim.token()))
        .map(
            it ->
                new Attempted(
                    claim,
                    it.outline(),
                    it.attempt(),
                    it.createdAtEpochMillis(),
                    it.expiresAtEpochMillis(),
                    leftMillis(it)));
  }

  void remove(Token token) {
    terms.remove(token);
  }
}
