package dev.latchkey.web;

import dev.latchkey.web.impl.IdempotencyHandlerImpl;
import dev.latchkey.web.impl.IdempotencyNodeImpl;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;

/**
 * Lets the handlers behind it run once per idempotency key. The first request with a key claims it
 * in the store and runs; its answer is stored before it is sent. Whoever sends the same request
 * with the same key gets that answer: replayed when it is stored already, parked until it is when
 * it is in flight. Another request with the same key is refused with 422.
 *
 * <p>Behind it may stand any handlers, answering in any way. It needs {@link
 * IdempotencyNode#capture()} as the first route of the outermost router, or {@link
 * IdempotencyNode#capture(Handler)} in front of it, and the body read before it, for example by
 * Vert.x Web's BodyHandler. Handlers reach their claim through {@link
 * Idempotency#of(RoutingContext)}.
 *
 * <p>One instance may serve any number of routes and verticles.
 */
public interface IdempotencyHandler extends Handler<RoutingContext> {

  /**
   * Makes a handler.
   *
   * @param node what this process shares
   * @param options of this handler, copied
   * @return the handler
   * @throws IllegalArgumentException if the options have no scope, or a retention shorter than the
   *     lease
   */
  static IdempotencyHandler create(IdempotencyNode node, IdempotencyOptions options) {
    return new IdempotencyHandlerImpl((IdempotencyNodeImpl) node, new IdempotencyOptions(options));
  }

  /**
   * A handler to put before everything else: takes note of a well-formed key, so that whatever
   * answers the request from there on, an authentication handler for example, echoes it and says
   * where it stands. While the node drains it also has the request counted, which somebody may be
   * about to refuse for that before it comes to this handler. Refuses nothing. Using it is
   * optional.
   *
   * @return the noting handler
   */
  Handler<RoutingContext> keyNote();

  /**
   * A handler to put before the body is read: refuses a missing or malformed key with 400, so that
   * the errors of a request come in the order key, body, content. Using it is optional; this
   * handler checks the key in any case.
   *
   * @return the checking handler
   */
  Handler<RoutingContext> keyCheck();
}
