package dev.latchkey.client;

import dev.latchkey.net.BoundedExchange.Outcome;
import io.vertx.core.MultiMap;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a response says about a retry.
 *
 * @param retryable whether the same request may yet get another response
 * @param retryAfterMillis the least delay that the service asks for
 * @param keyMillisLeft until the key expires, by the service's clock; very long if not stated
 * @param problem the problem document, if there is one
 */
record RetryRule(
    boolean retryable,
    OptionalLong retryAfterMillis,
    long keyMillisLeft,
    Optional<JsonObject> problem) {

  private static final String IN_PROGRESS = "request-in-progress";
  private static final long NOT_STATED = Long.MAX_VALUE / 2;
  private static final long MAX_SECONDS = 1L << 31;

  static RetryRule of(Outcome.Response response) {
    MultiMap headers = response.headers();
    Optional<JsonObject> problem = problem(response);
    OptionalLong retryAfter = retryAfterMillis(headers);
    boolean retryable =
        (response.status() >= 400 && retryAfter.isPresent())
            || switch (response.status()) {
              case 408, 429, 503 -> true;
              case 409 ->
                  problem
                      .map(it -> String.valueOf(it.getValue("type")).endsWith(IN_PROGRESS))
                      .orElse(false);
              default -> false;
            };
    long left = between(headers.get("Date"), headers.get("Idempotency-Expires")).orElse(NOT_STATED);
    return new RetryRule(retryable, retryAfter, left, problem);
  }

  private static Optional<JsonObject> problem(Outcome.Response response) {
    String type = response.headers().get("Content-Type");
    if (type == null || !type.startsWith("application/problem+json")) {
      return Optional.empty();
    }
    try {
      return Optional.of(response.body().toJsonObject());
    } catch (DecodeException | ClassCastException notAProblem) {
      return Optional.empty();
    }
  }

  private static OptionalLong retryAfterMillis(MultiMap headers) {
    String value = headers.get("Retry-After");
    if (value == null) {
      return OptionalLong.empty();
    }
    try {
      long seconds = Long.parseLong(value.strip());
      return OptionalLong.of(Math.max(0, Math.min(seconds, MAX_SECONDS)) * 1_000);
    } catch (NumberFormatException isADate) {
      OptionalLong millis = between(headers.get("Date"), value);
      return OptionalLong.of(Math.max(0, millis.orElse(0)));
    }
  }

  private static OptionalLong between(@Nullable String from, @Nullable String to) {
    if (from == null || to == null) {
      return OptionalLong.empty();
    }
    try {
      DateTimeFormatter format = DateTimeFormatter.RFC_1123_DATE_TIME;
      return OptionalLong.of(
          Duration.between(ZonedDateTime.parse(from, format), ZonedDateTime.parse(to, format))
              .toMillis());
    } catch (DateTimeException notADate) {
      return OptionalLong.empty();
    }
  }
}
