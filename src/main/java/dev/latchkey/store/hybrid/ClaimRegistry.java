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
 * The claims that this node was granted and that have not ended: the terms that a receipt repeats,
 * and for how long their leases certainly exclude other owners. That time is measured by the clock
 * of this node, from before the first request for the claim, since an earlier response may have
 * been lost. Safe for use by any thread. Bounded: a claim beyond the bound is rejected before
 * anything executes, and lost responses beyond the bound are not recorded.
 */
final class ClaimRegistry {

  /** More than a node executes at a time, including claims whose completion is retried. */
  static final int MAX_CLAIMS = 65_536;

  /** How long after its lease the completion of a claim may still be retried. */
  private static final long RETRY_MILLIS = TimeUnit.HOURS.toMillis(1);

  private record Terms(FirstUse first, int attempt, Expiry expiry, long requestedAtNanos) {}

  /**
   * A granted claim.
   *
   * @param ended whether its receipt is committed; the claim store may not know it yet
   */
  private record Grant(Terms terms, long leaseMillis, long leaseFromNanos, boolean ended) {}

  private final Map<Token, Grant> grants = new ConcurrentHashMap<>();

  /** When claims were first requested whose result is unknown. */
  private final Map<Token, Long> unknown = new ConcurrentHashMap<>();

  private final LongSupplier nanos;
  private final int maxClaims;

  ClaimRegistry(LongSupplier nanos, int maxClaims) {
    this.nanos = nanos;
    this.maxClaims = maxClaims;
  }

  long nowNanos() {
    return nanos.getAsLong();
  }

  /** Whether one more claim can be added. */
  boolean hasRoom(Claim claim) {
    return grants.containsKey(claim.token()) || grants.size() < maxClaims || makeRoom();
  }

  /** The result of a requested claim is unknown. */
  void resultUnknown(Token token, long requestedAtNanos) {
    if (unknown.size() >= maxClaims) {
      unknown.values().removeIf(it -> sinceMillis(it) > RETRY_MILLIS);
    }
    if (unknown.size() < maxClaims) {
      unknown.putIfAbsent(token, requestedAtNanos);
    }
  }

  /** The result of a requested claim is known. */
  void resultKnown(Token token) {
    unknown.remove(token);
  }

  /** Adds a granted claim. A claim that is granted again keeps its lease. */
  void add(Claim claim, Claimed claimed, FirstUse first, long requestedAtNanos) {
    Terms terms = new Terms(first, claimed.attempt(), claimed.expiry(), requestedAtNanos);
    long firstRequestNanos = unknown.getOrDefault(claim.token(), requestedAtNanos);
    grants.merge(
        claim.token(),
        new Grant(terms, claim.leaseMillis(), firstRequestNanos, false),
        (known, again) ->
            known.ended()
                ? again
                : new Grant(terms, known.leaseMillis(), known.leaseFromNanos(), false));
  }

  private boolean makeRoom() {
    grants.values().removeIf(it -> leaseLeftMillis(it) <= (it.ended() ? 0 : -RETRY_MILLIS));
    return grants.size() < maxClaims;
  }

  private long leaseLeftMillis(Grant grant) {
    return grant.leaseMillis() - sinceMillis(grant.leaseFromNanos());
  }

  private long sinceMillis(long fromNanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - fromNanos);
  }

  /** Whether a claim was granted to this node and has not ended. */
  boolean has(Claim claim) {
    Grant grant = grants.get(claim.token());
    return grant != null && !grant.ended();
  }

  /** Whether the receipt of a claim is committed. */
  boolean hasEnded(Token token) {
    Grant grant = grants.get(token);
    return grant != null && grant.ended();
  }

  /** Whether the lease excludes other owners for this long, unless the store forgets. */
  boolean isSafeFor(Claim claim, long millis) {
    Grant grant = grants.get(claim.token());
    return grant != null && !grant.ended() && leaseLeftMillis(grant) > millis;
  }

  /** The terms for a receipt; empty for a claim that is unknown or has ended. */
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
                    terms.expiry().inMillis() - sinceMillis(terms.requestedAtNanos())));
  }

  /** The lease was renewed by a request at this time. */
  void renewed(Claim claim, long requestedAtNanos) {
    grants.computeIfPresent(
        claim.token(),
        (token, it) -> new Grant(it.terms(), claim.leaseMillis(), requestedAtNanos, it.ended()));
  }

  /** The claim store does not hold it, so another owner may be granted the key. */
  void leaseLost(Token lost) {
    grants.computeIfPresent(
        lost, (token, it) -> new Grant(it.terms(), 0, it.leaseFromNanos(), it.ended()));
  }

  /** Its receipt is committed. */
  void ended(Token done) {
    grants.computeIfPresent(
        done, (token, it) -> new Grant(it.terms(), it.leaseMillis(), it.leaseFromNanos(), true));
  }

  /** The claim store knows that it has ended. */
  void removeEnded(Token done) {
    grants.computeIfPresent(done, (token, it) -> it.ended() ? null : it);
  }

  void remove(Token token) {
    grants.remove(token);
  }
}
