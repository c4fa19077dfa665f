package dev.latchkey.payments;

import dev.latchkey.core.spi.StoreException;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Consumer;

/**
 * Goes on with a request when a future of any thread is complete: on the request's own context, and
 * with its usual answer when the future failed. What the rest of the request throws fails it.
 */
final class OnContext {

  private OnContext() {}

  static <T> void then(RoutingContext ctx, Future<T> future, Consumer<T> next) {
    Context context = ctx.vertx().getOrCreateContext();
    future.onComplete(
        result -> {
          Runnable rest = () -> goOn(ctx, result, next);
          if (Vertx.currentContext() == context) {
            rest.run();
          } else {
            context.runOnContext(v -> rest.run());
          }
        });
  }

  private static <T> void goOn(RoutingContext ctx, AsyncResult<T> result, Consumer<T> next) {
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
