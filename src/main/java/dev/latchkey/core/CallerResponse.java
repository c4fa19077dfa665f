package dev.latchkey.core;

import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.StoredResponse;
import java.util.Optional;

/** The response for a caller that did not execute, or whose execution was superseded. */
public sealed interface CallerResponse {

  /**
   * The stored response.
   *
   * @param response as stored
   * @param expiry when the key expires
   */
  record Replay(StoredResponse response, Expiry expiry) implements CallerResponse {}

  /**
   * The response of the awaited attempt, which was not stored.
   *
   * @param response of the attempt's owner
   */
  record SharedResponse(StoredResponse response) implements CallerResponse {}

  /**
   * The key belongs to another request.
   *
   * @param phase of the other request
   * @param firstUse of that one, with its member sketch
   * @param expiry when the key expires; present if the other request is completed
   */
  record KeyReused(Phase phase, Fingerprint firstUse, Optional<Expiry> expiry)
      implements CallerResponse {}

  /**
   * The original request is still running and the wait is over.
   *
   * @param leaseLeftMillis time until the lease expires
   */
  record InProgress(long leaseLeftMillis) implements CallerResponse {}

  /** The attempt failed; nothing was stored. */
  record AttemptFailed() implements CallerResponse {}

  /** The caller's own attempt exceeded its limit; its outcome is unknown. */
  record RunLimitExceeded() implements CallerResponse {}

  /** The owner was lost, and the handler requires a person to resolve it. */
  record Unresolved() implements CallerResponse {}

  /**
   * The store is unavailable.
   *
   * @param begun whether the operation may have been executed
   */
  record StoreUnavailable(boolean begun) implements CallerResponse {}

  /**
   * Too many callers wait.
   *
   * @param leaseLeftMillis time until the lease expires
   * @param held whether the claim is known to be held
   */
  record TooManyWaiting(long leaseLeftMillis, boolean held) implements CallerResponse {}

  /** Too many attempts run, or the store has no room for another key. */
  record Overloaded() implements CallerResponse {}

  /**
   * The node is shutting down.
   *
   * @param held whether the claim is known to be held
   */
  record ShuttingDown(boolean held) implements CallerResponse {}
}
