package dev.latchkey.web;

import java.util.Set;

/**
 * Decides by its status whether a response is stored and replayed, or discarded with the attempt's
 * effects. Called on the request's context; must be pure and fast. If it throws, the request gets
 * 500 and nothing is stored.
 */
@FunctionalInterface
public interface ResponsePolicy {

  /**
   * Decides.
   *
   * @param status the status code of the response
   * @return true if the response is final: it and its effects are stored
   */
  boolean isFinal(int status);

  /**
   * The default: everything is final except 401, 403, 408, 413, 425, 429 and 5xx, which tell the
   * client that it may retry.
   *
   * @return the policy
   */
  static ResponsePolicy finalResponses() {
    Set<Integer> transientClientErrors = Set.of(401, 403, 408, 413, 425, 429);
    return status -> status < 500 && !transientClientErrors.contains(status);
  }

  /**
   * Only 2xx and 3xx are final. After any error the next attempt executes again.
   *
   * @return the policy
   */
  static ResponsePolicy successesOnly() {
    return status -> status < 400;
  }

  /**
   * Every response of a handler is final, including 5xx.
   *
   * @return the policy
   */
  static ResponsePolicy everything() {
    return status -> true;
  }
}
