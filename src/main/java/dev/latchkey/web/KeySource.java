package dev.latchkey.web;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/**
 * Where a request carries its idempotency key. The text it finds still has to follow the key
 * grammar. Called on the request's context.
 */
@FunctionalInterface
public interface KeySource {

  /** The field of the IETF draft and of most APIs. */
  KeySource IDEMPOTENCY_KEY = header("Idempotency-Key");

  /**
   * Finds the key.
   *
   * @param ctx the request
   * @return nothing when there is no key, one text as it was sent, or several, which is an error of
   *     the client
   */
  List<String> find(RoutingContext ctx);

  /**
   * The key stands in a header.
   *
   * @param name the header's name, such as {@code PayPal-Request-Id}
   * @return the source
   */
  static KeySource header(String name) {
    CharSequence field = HttpHeaders.createOptimized(name);
    return ctx -> ctx.request().headers().getAll(field);
  }

  /**
   * The key stands in a top-level member of a JSON body, as a string. Needs the body to be read by
   * then. A body that is not a JSON object has none.
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
