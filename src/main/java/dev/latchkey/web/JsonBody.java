package dev.latchkey.web;

import com.fasterxml.jackson.databind.JsonNode;
import dev.latchkey.json.MalformedJsonException;
import dev.latchkey.json.StrictJson;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;

/**
 * The JSON body of a request, parsed once: an application that validates the body before the {@link
 * IdempotencyHandler} and the handler itself get the same tree. Used on the request's event loop.
 */
public final class JsonBody {

  private static final String KEY = JsonBody.class.getName();
  private static final String DROPPED = KEY + ".dropped";

  private final Buffer body;
  private final int maxDepth;
  private final JsonNode value;

  private JsonBody(Buffer body, int maxDepth, JsonNode value) {
    this.body = body;
    this.maxDepth = maxDepth;
    this.value = value;
  }

  /**
   * Parses the body strictly (see {@link StrictJson}), or returns the tree of an earlier call.
   *
   * @param ctx the request, after a body handler; its media type is not checked
   * @param maxDepth limit for the levels of arrays and objects, such as {@link
   *     IdempotencyOptions#getMaxJsonDepth()} of the handler that follows
   * @return the body; shared with the handler, do not modify it
   * @throws MalformedJsonException if the body is missing or not strict JSON
   */
  public static JsonNode parse(RoutingContext ctx, int maxDepth) throws MalformedJsonException {
    Buffer body = ctx.body().buffer();
    JsonBody known = ctx.get(KEY);
    if (known != null && known.body == body && known.maxDepth == maxDepth) {
      return known.value;
    }
    byte[] bytes = body == null ? new byte[0] : body.getBytes();
    JsonNode value = StrictJson.parse(bytes, maxDepth);
    if (body != null) {
      ctx.put(KEY, new JsonBody(body, maxDepth, value));
    }
    return value;
  }

  /**
   * Sets a handler called if the body is dropped, because the request is parked and an equal body
   * is kept for all of its key. The handler drops what was made from the body. A request that
   * executes after all gets the body again.
   *
   * @param ctx the request
   * @param handler called on the request's context
   */
  public static void onDropped(RoutingContext ctx, Runnable handler) {
    ctx.put(DROPPED, handler);
  }

  /**
   * Calls the handler of {@link #onDropped}.
   *
   * @param ctx the request
   */
  public static void dropped(RoutingContext ctx) {
    Runnable handler = ctx.get(DROPPED);
    if (handler != null) {
      handler.run();
    }
  }

  /**
   * Drops the tree of an earlier call, so that a request does not hold it while it is parked. The
   * {@link IdempotencyHandler} does this once it has the fingerprint.
   *
   * @param ctx the request
   */
  public static void discard(RoutingContext ctx) {
    ctx.remove(KEY);
  }
}
