package dev.latchkey.core.spi;

import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.Optional;

/** What became of a claim. All of these are expected; an exception means a broken store. */
public sealed interface ClaimResult {

  /**
   * The key is the caller's, or was already: a claim sent again with the same token is answered so.
   *
   * @param attempt counts the claims of this key, 1 for its first use
   * @param steps what earlier attempts recorded, by name; unmodifiable
   * @param expiry when the key will be free
   * @param takenOver true when the lease of another attempt had run out
   */
  record Claimed(int attempt, Map<String, Buffer> steps, Expiry expiry, boolean takenOver)
      implements ClaimResult {}

  /**
   * Another attempt at the same request holds the claim.
   *
   * @param leaseLeftMillis until its lease ends, at least 0
   */
  record InFlight(long leaseLeftMillis) implements ClaimResult {}

  /**
   * The same request has finished.
   *
   * @param response the stored answer
   * @param expiry when the key will be free
   */
  record Completed(StoredResponse response, Expiry expiry) implements ClaimResult {}

  /**
   * The key names another request, whatever became of that one.
   *
   * @param phase what became of it
   * @param firstUse of the request that the key names, with its member sketch
   * @param expiry when the key will be free, present when it is completed
   */
  record Mismatch(Phase phase, Fingerprint firstUse, Optional<Expiry> expiry)
      implements ClaimResult {}

  /** The attempt that was waited for was released; only for {@link ClaimRequest.Mode#TAKEOVER}. */
  record Released() implements ClaimResult {}

  /** The owner's lease is over; only for {@link ClaimRequest.Mode#NO_TAKEOVER}. */
  record Lapsed() implements ClaimResult {}

  /** This very token was released before: a late copy of a claim that nobody wants any more. */
  record Withdrawn() implements ClaimResult {}

  /** A bounded store has no room for a new key. Nothing was evicted to make any. */
  record Full() implements ClaimResult {}
}
