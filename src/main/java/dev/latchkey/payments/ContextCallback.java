package dev.latchkey.payments;

import dev.latchkey.core.spi.StoreException;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Consumer;

/** Continues a request on its own context after a future that completes on any thread. */
final class ContextCallback {

  private ContextCallback() {}

  /**
   * Calls a function with the result of a future. A {@link StoreException} gets 503; any other
   * failure, and whatever the function throws, fails the request.
   */
  static <T> void onSuccess(RoutingContext ctx, Future<T> future, Consumer<T> next) {
    Context context = ctx.vertx().getOrCreateContext();
    future.onComplete(
        result -> {
          if (Vertx.currentContext() == context) {
            accept(ctx, result, next);
          } else {
            context.runOnContext(v -> accept(ctx, result, next));
          }
        });
  }

  private static <T> void accept(RoutingContext ctx, AsyncResult<T> result, Consumer<T> next) {
    try {
      if (result.succeeded()) {
        next.accept(result.result());
      } else if (result.cause() instanceof StoreException) {
        PaymentProblems.storeUnavailable().send(ctx);
      } else {
        ctx.fail(result.cause());
      }
    } catch (RuntimeException | Error thrown) {
      // The router, which catches what a handler throws, has returned already.
      ctx.fail(thrown);
    }
  }
}
