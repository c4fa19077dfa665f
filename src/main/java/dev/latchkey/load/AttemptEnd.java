package dev.latchkey.load;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.OptionalLong;

/** How one attempt ended. */
sealed interface AttemptEnd {

  /**
   * A whole answer.
   *
   * @param status HTTP status
   * @param replayed whether it says {@code Idempotent-Replayed: true}
   * @param retryAfter the header as sent
   * @param headers all of them
   * @param body at most {@link HttpSender#MAX_ANSWER_BYTES}
   * @param sentNanos when the request was written, by {@link System#nanoTime()}
   * @param answeredNanos when the last byte had come
   */
  record Answered(
      int status,
      boolean replayed,
      Optional<String> retryAfter,
      MultiMap headers,
      Buffer body,
      long sentNanos,
      long answeredNanos)
      implements AttemptEnd {

    /** Whether it is a 2xx. */
    boolean succeeded() {
      return status >= 200 && status < 300;
    }

    /**
     * Whether the same request with the same key may yet succeed: 409 and 429 and the gateway's
     * errors, unless the body says otherwise. A 409 has to say so itself.
     */
    boolean retryable() {
      return switch (status) {
        case 409 -> retryableMember().orElse(retryAfter.isPresent());
        case 429, 502, 503, 504 -> retryableMember().orElse(true);
        default -> false;
      };
    }

    /** {@code Retry-After} in seconds, where it is a number. */
    OptionalLong retryAfterSeconds() {
      return retryAfter.filter(text -> text.matches("[0-9]{1,9}")).stream()
          .mapToLong(Long::parseLong)
          .findFirst();
    }

    /** The body as a JSON object, if it is one. */
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

  /** The caller hung up before the answer, as planned. */
  record HungUp() implements AttemptEnd {}

  /**
   * No answer: refused, cut, too long or too late. Whether it ran is not known.
   *
   * @param why one line
   */
  record Broken(String why) implements AttemptEnd {}
}
