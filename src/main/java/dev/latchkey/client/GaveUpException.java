package dev.latchkey.client;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A request got no final response before its deadline, or its retries were not allowed. Sending the
 * same request with the same key later is safe until the key expires.
 */
public final class GaveUpException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final String key;
  private final transient Optional<JsonObject> lastProblem;
  private final boolean outcomeUnknown;
  private final transient Supplier<Future<JsonObject>> query;

  GaveUpException(
      String reason,
      String key,
      Optional<JsonObject> lastProblem,
      boolean outcomeUnknown,
      Supplier<Future<JsonObject>> query) {
    super(reason, null, false, false);
    this.key = key;
    this.lastProblem = lastProblem;
    this.outcomeUnknown = outcomeUnknown;
    this.query = query;
  }

  /** Returns the idempotency key of the request. */
  public String key() {
    return key;
  }

  /** Returns the last problem document, if the service sent one. */
  public Optional<JsonObject> lastProblem() {
    return lastProblem;
  }

  /**
   * Returns whether the operation may have been carried out. False only if no send reached a
   * server.
   */
  public boolean outcomeUnknown() {
    return outcomeUnknown;
  }

  /**
   * Asks the service for the state of the key, once, with {@code GET /v1/idempotency-keys/{key}}.
   *
   * @return the response's JSON; its {@code data} is empty if the key was never used. Fails if
   *     there is no response with status 200
   */
  public Future<JsonObject> queryKey() {
    return query.get();
  }
}
