package dev.latchkey.core;

import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.StoredResponse;
import java.util.Optional;

/** What a caller is told that did not run itself, or whose run is not what counts. */
public sealed interface CallerResponse {

  /**
   * The stored answer.
   *
   * @param response as stored
   * @param expiry when the key will be free
   */
  record Replay(StoredResponse response, Expiry expiry) implements CallerResponse {}

  /**
   * The answer of the attempt that was waited for, which was not stored.
   *
   * @param response what its own caller got
   */
  record SharedResponse(StoredResponse response) implements CallerResponse {}

  /**
   * The key names another request.
   *
   * @param phase where that one stands
   * @param firstUse of that one, with its member sketch
   * @param expiry when the key will be free, once it is completed
   */
  record KeyReused(Phase phase, Fingerprint firstUse, Optional<Expiry> expiry)
      implements CallerResponse {}

  /**
   * Still in flight, and this caller waits no longer.
   *
   * @param leaseLeftMillis until something is bound to happen
   */
  record InProgress(long leaseLeftMillis) implements CallerResponse {}

  /** The attempt that was waited for, or the own one, came to nothing. */
  record AttemptFailed() implements CallerResponse {}

  /** The own attempt ran longer than its limit; nobody knows yet what becomes of it. */
  record RunLimitExceeded() implements CallerResponse {}

  /** The owner died, and its handler leaves that to a person. */
  record Unresolved() implements CallerResponse {}

  /**
   * The store cannot be asked.
   *
   * @param begun true when the operation may have run
   */
  record StoreUnavailable(boolean begun) implements CallerResponse {}

  /**
   * There is no room to wait.
   *
   * @param leaseLeftMillis until something is bound to happen
   * @param held whether somebody is known to hold the claim
   */
  record TooManyWaiting(long leaseLeftMillis, boolean held) implements CallerResponse {}

  /** There is no room to run, or no room for another key. */
  record Overloaded() implements CallerResponse {}

  /**
   * The node is about to stop.
   *
   * @param held whether somebody is known to hold the claim
   */
  record ShuttingDown(boolean held) implements CallerResponse {}
}
