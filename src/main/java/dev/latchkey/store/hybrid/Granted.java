package dev.latchkey.store.hybrid;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimResult.Claimed;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.Token;
import dev.latchkey.store.Receipts.Attempted;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What this node knows of the claims that it was granted, until they have ended: what a receipt
 * repeats, and how long nobody else can have been granted the same, by this node's clock and
 * counted from before the claims were asked first: an earlier answer may have been lost. Safe for
 * use by any thread. Bounded: a claim past the bound is refused before anything runs, and of so
 * many lost answers more are not noted.
 */
final class Granted {

  /** More than a node runs at a time, claims whose end is still pursued included. */
  static final int MAX_CLAIMS = 65_536;

  /** An hour after its lease nobody pursues the end of a claim any more. */
  private static final long FORSAKEN_MILLIS = TimeUnit.HOURS.toMillis(1);

  private record Terms(FirstUse first, int attempt, Expiry expiry, long askedAtNanos) {}

  /**
   * One claim.
   *
   * @param ended its receipt is committed, the claims are being told
   */
  private record Grant(Terms terms, long leaseMillis, long leaseFromNanos, boolean ended) {}

  private final Map<Token, Grant> grants = new ConcurrentHashMap<>();

  /** When claims were asked first whose answer is not known. */
  private final Map<Token, Long> unheard = new ConcurrentHashMap<>();

  private final LongSupplier nanos;
  private final int maxClaims;

  Granted(LongSupplier nanos, int maxClaims) {
    this.nanos = nanos;
    this.maxClaims = maxClaims;
  }

  long nowNanos() {
    return nanos.getAsLong();
  }

  /** Whether one more claim can be granted. */
  boolean hasRoom(Claim claim) {
    return grants.containsKey(claim.token()) || grants.size() < maxClaims || makeRoom();
  }

  /** A claim was asked, and nobody knows what came of it. */
  void unheard(Token token, long askedAtNanos) {
    if (unheard.size() >= maxClaims) {
      unheard.values().removeIf(it -> sinceMillis(it) > FORSAKEN_MILLIS);
    }
    if (unheard.size() < maxClaims) {
      unheard.putIfAbsent(token, askedAtNanos);
    }
  }

  /** It is known what came of a claim. */
  void heard(Token token) {
    unheard.remove(token);
  }

  /** Takes note of a grant. One that is granted again leaves its lease alone. */
  void add(Claim claim, Claimed claimed, FirstUse first, long askedAtNanos) {
    Terms terms = new Terms(first, claimed.attempt(), claimed.expiry(), askedAtNanos);
    long askedFirstAtNanos = unheard.getOrDefault(claim.token(), askedAtNanos);
    grants.merge(
        claim.token(),
        new Grant(terms, claim.leaseMillis(), askedFirstAtNanos, false),
        (known, again) ->
            known.ended()
                ? again
                : new Grant(terms, known.leaseMillis(), known.leaseFromNanos(), false));
  }

  private boolean makeRoom() {
    grants.values().removeIf(it -> leaseLeftMillis(it) <= (it.ended() ? 0 : -FORSAKEN_MILLIS));
    return grants.size() < maxClaims;
  }

  private long leaseLeftMillis(Grant grant) {
    return grant.leaseMillis() - sinceMillis(grant.leaseFromNanos());
  }

  private long sinceMillis(long fromNanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - fromNanos);
  }

  /** Whether a claim was granted here and has not ended. */
  boolean has(Claim claim) {
    Grant grant = grants.get(claim.token());
    return grant != null && !grant.ended();
  }

  /** Whether a claim's receipt is committed, which the claims may not know yet. */
  boolean hasEnded(Token token) {
    Grant grant = grants.get(token);
    return grant != null && grant.ended();
  }

  /** Whether nobody else can be granted the key for so long, unless the claims forget. */
  boolean isSafeFor(Claim claim, long millis) {
    Grant grant = grants.get(claim.token());
    return grant != null && !grant.ended() && leaseLeftMillis(grant) > millis;
  }

  /** What a receipt says; empty for a claim that is not known, or has ended. */
  Optional<Attempted> attempted(Claim claim) {
    return Optional.ofNullable(grants.get(claim.token()))
        .filter(grant -> !grant.ended())
        .map(Grant::terms)
        .map(
            terms ->
                new Attempted(
                    new Claim(
                        claim.key(),
                        terms.first().fingerprint(),
                        claim.token(),
                        claim.leaseMillis()),
                    terms.attempt(),
                    terms.first().createdAtEpochMillis(),
                    terms.expiry().atEpochMillis(),
                    terms.expiry().inMillis() - sinceMillis(terms.askedAtNanos())));
  }

  /** The lease runs from then on. */
  void renewed(Claim claim, long askedAtNanos) {
    grants.computeIfPresent(
        claim.token(),
        (token, it) -> new Grant(it.terms(), claim.leaseMillis(), askedAtNanos, it.ended()));
  }

  /** The claims do not know of it: somebody else may be granted the key. */
  void lapsed(Token lost) {
    grants.computeIfPresent(
        lost, (token, it) -> new Grant(it.terms(), 0, it.leaseFromNanos(), it.ended()));
  }

  /** Its receipt is committed. */
  void ended(Token done) {
    grants.computeIfPresent(
        done, (token, it) -> new Grant(it.terms(), it.leaseMillis(), it.leaseFromNanos(), true));
  }

  /** The claims have been told of its end. */
  void told(Token done) {
    grants.computeIfPresent(done, (token, it) -> it.ended() ? null : it);
  }

  void remove(Token token) {
    grants.remove(token);
  }
}
