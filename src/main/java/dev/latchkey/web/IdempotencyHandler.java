package dev.latchkey.web;

import dev.latchkey.web.impl.IdempotencyHandlerImpl;
import dev.latchkey.web.impl.IdempotencyNodeImpl;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;

/**
 * Executes the handlers behind it once per idempotency key. The first request with a key claims it
 * in the store and executes; its response is stored before it is sent. Each further copy of the
 * request gets the same response, replayed from the store, or parked until the first completes.
 * Another request with the same key gets 422.
 *
 * <p>Any handlers may follow, with any way of responding. The handler needs {@link
 * IdempotencyNode#capture()} as the first route of the outermost router, or {@link
 * IdempotencyNode#capture(Handler)} in front of it. It also needs the body, so a BodyHandler comes
 * first: an unread or consumed body fails the request with IllegalStateException, and a multipart
 * body gets 415. Handlers behind it find their claim with {@link Idempotency#of(RoutingContext)}.
 *
 * <p>A key is not released while its handler runs. If a TimeoutHandler responds, or the request
 * fails while a {@linkplain Idempotency#step step} is running, the caller gets 503 {@code
 * attempt-unresolved}, as after the run limit, and a later response of the handler is stored.
 *
 * <p>One instance serves any number of routes and verticles.
 */
public interface IdempotencyHandler extends Handler<RoutingContext> {

  /**
   * Creates a handler.
   *
   * @param node shared by the handlers of the process
   * @param options of this handler, copied
   * @return the handler
   * @throws IllegalArgumentException if the options have no scope, or a retention shorter than the
   *     lease
   */
  static IdempotencyHandler create(IdempotencyNode node, IdempotencyOptions options) {
    return new IdempotencyHandlerImpl((IdempotencyNodeImpl) node, new IdempotencyOptions(options));
  }

  /**
   * Returns an optional handler for the very first route. It remembers a well-formed key, so that
   * responses of the handlers before this one, such as authentication, echo the key and its state.
   * It rejects nothing.
   *
   * @return the handler; it can be mounted before a BodyHandler on the same route
   */
  Handler<RoutingContext> keyNote();

  /**
   * Returns an optional handler that rejects a missing or malformed key with 400 before the body is
   * read. This handler checks the key in any case.
   *
   * @return the handler; it can be mounted before a BodyHandler on the same route
   */
  Handler<RoutingContext> keyCheck();
}
