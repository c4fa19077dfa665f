package dev.latchkey.load;

import dev.latchkey.net.BoundedExchange.Outcome;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.OptionalLong;

/** A complete response, with the times of its request and of its last byte. */
record LoadResponse(int status, MultiMap headers, Buffer body, long sentNanos, long endNanos) {

  static LoadResponse of(Outcome.Response response) {
    return new LoadResponse(
        response.status(),
        response.headers(),
        response.body(),
        response.sentNanos(),
        response.endNanos());
  }

  boolean succeeded() {
    return status >= 200 && status < 300;
  }

  boolean replayed() {
    return "true".equalsIgnoreCase(headers.get("Idempotent-Replayed"));
  }

  /**
   * Returns whether a retry may succeed: 409, 429 and gateway errors, unless the body says
   * otherwise. A 409 must say so itself.
   */
  boolean retryable() {
    return switch (status) {
      case 409 -> retryableMember().orElse(headers.contains("Retry-After"));
      case 429, 502, 503, 504 -> retryableMember().orElse(true);
      default -> false;
    };
  }

  /** Returns {@code Retry-After} in seconds, if it is a number. */
  OptionalLong retryAfterSeconds() {
    return Optional.ofNullable(headers.get("Retry-After"))
        .filter(text -> text.matches("[0-9]{1,9}"))
        .map(text -> OptionalLong.of(Long.parseLong(text)))
        .orElse(OptionalLong.empty());
  }

  /** Returns the body if it is a JSON object. */
  Optional<JsonObject> json() {
    try {
      return Optional.of(new JsonObject(body));
    } catch (DecodeException | ClassCastException e) {
      return Optional.empty();
    }
  }

  private Optional<Boolean> retryableMember() {
    return json()
        .map(object -> object.getValue("retryable"))
        .filter(Boolean.class::isInstance)
        .map(Boolean.class::cast);
  }
}
