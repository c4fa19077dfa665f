package dev.latchkey.web;

import com.fasterxml.jackson.databind.JsonNode;
import dev.latchkey.json.MalformedJsonException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/**
 * Finds the idempotency key of a request. The handler checks its syntax. Called on the request's
 * context.
 */
@FunctionalInterface
public interface KeySource {

  /** The header of the IETF draft and of most APIs. */
  KeySource IDEMPOTENCY_KEY = header("Idempotency-Key");

  /**
   * Finds the key.
   *
   * @param ctx the request
   * @return the values as sent: none if there is no key; several are an error of the client
   */
  List<String> find(RoutingContext ctx);

  /**
   * Takes the key from a header.
   *
   * @param name the header's name, such as {@code PayPal-Request-Id}
   * @return the source
   */
  static KeySource header(String name) {
    CharSequence field = HttpHeaders.createOptimized(name);
    return ctx -> ctx.request().headers().getAll(field);
  }

  /**
   * Takes the key from a string member of a JSON object in the body, which must have been read. Any
   * other body has no key.
   *
   * @param name the member's name
   * @return the source
   */
  static KeySource bodyMember(String name) {
    return ctx -> {
      try {
        JsonNode key = JsonBody.parse(ctx, IdempotencyOptions.DEFAULT_MAX_JSON_DEPTH).get(name);
        return key != null && key.isTextual() ? List.of(key.textValue()) : List.of();
      } catch (MalformedJsonException notJson) {
        return List.of();
      }
    };
  }
}
