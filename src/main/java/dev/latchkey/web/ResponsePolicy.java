package dev.latchkey.web;

import java.util.Set;

/**
 * Decides by its status whether an answer is stored and replayed, or discarded with all that the
 * attempt meant to write. Pure and quick; called on the request's context. One that throws ends the
 * request with 500, and nothing of it is kept.
 */
@FunctionalInterface
public interface ResponsePolicy {

  /**
   * Decides.
   *
   * @param status the status code of the answer
   * @return true when the answer is final: stored, replayed, its effects kept
   */
  boolean isFinal(int status);

  /**
   * The default: everything is final but 401, 403, 408, 413, 425, 429 and 5xx, which say that the
   * request was not carried out and may be sent again.
   *
   * @return the policy
   */
  static ResponsePolicy finalResponses() {
    Set<Integer> transientClientErrors = Set.of(401, 403, 408, 413, 425, 429);
    return status -> status < 500 && !transientClientErrors.contains(status);
  }

  /**
   * Only 2xx and 3xx are final; after any error the next attempt runs afresh.
   *
   * @return the policy
   */
  static ResponsePolicy successesOnly() {
    return status -> status < 400;
  }

  /**
   * Whatever a handler answered once it ran is final, errors of the server included.
   *
   * @return the policy
   */
  static ResponsePolicy everythingThatRan() {
    return status -> true;
  }
}
