package dev.latchkey.web;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
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
      Object body;
      try {
        body = ctx.body().isEmpty() ? "" : Json.decodeValue(ctx.body().buffer());
      } catch (DecodeException notJson) {
        return List.of();
      }
      return body instanceof JsonObject object && object.getValue(name) instanceof String key
          ? List.of(key)
          : List.of();
    };
  }
}
