package dev.latchkey.core.spi;

import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.Optional;

/** The result of a claim. All variants are expected; an exception means a broken store. */
public sealed interface ClaimResult {

  /**
   * The caller holds the claim. Also the result of a claim that is sent again with its token.
   *
   * @param attempt number of claims granted for this key, 1 for its first use
   * @param steps results recorded by earlier attempts, by step name; unmodifiable
   * @param expiry when the key expires
   * @param takenOver true if the lease of another attempt had expired
   */
  record Claimed(int attempt, Map<String, Buffer> steps, Expiry expiry, boolean takenOver)
      implements ClaimResult {}

  /**
   * Another attempt at the same request holds the claim.
   *
   * @param leaseLeftMillis time until its lease expires, at least 0
   */
  record InFlight(long leaseLeftMillis) implements ClaimResult {
    /** Limits the time to that of a lease. */
    public InFlight {
      leaseLeftMillis = Math.min(leaseLeftMillis, Expiry.MAX_DURATION_MILLIS);
    }
  }

  /**
   * The same request is completed.
   *
   * @param response the stored response
   * @param expiry when the key expires
   */
  record Completed(StoredResponse response, Expiry expiry) implements ClaimResult {}

  /**
   * The key belongs to another request, in any phase.
   *
   * @param phase of the other request
   * @param firstUse fingerprint of the other request, with its member sketch
   * @param expiry when the key expires; present if the other request is completed
   */
  record Mismatch(Phase phase, Fingerprint firstUse, Optional<Expiry> expiry)
      implements ClaimResult {}

  /** The awaited attempt was released. Only for {@link ClaimRequest.Mode#TAKEOVER}. */
  record Released() implements ClaimResult {}

  /** The owner's lease has expired. Only for {@link ClaimRequest.Mode#NO_TAKEOVER}. */
  record Lapsed() implements ClaimResult {}

  /** This token was released before: the claim is a late copy. */
  record Withdrawn() implements ClaimResult {}

  /** The store has no room for a new key. It evicted nothing. */
  record Full() implements ClaimResult {}
}
