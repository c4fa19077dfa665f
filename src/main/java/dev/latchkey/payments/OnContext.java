package dev.latchkey.payments;

import dev.latchkey.idempotency.spi.StoreException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Consumer;

/**
 * Goes on with a request when a future of any thread is complete: on the request's own context, and
 * with its usual answer when the future failed.
 */
final class OnContext {

  private OnContext() {}

  static <T> void then(RoutingContext ctx, Future<T> future, Consumer<T> next) {
    Context context = ctx.vertx().getOrCreateContext();
    future.onComplete(
        result -> {
          Runnable rest =
              () -> {
                if (result.succeeded()) {
                  next.accept(result.result());
                } else if (result.cause() instanceof StoreException) {
                  PaymentProblems.storeUnavailable().send(ctx);
                } else {
                  ctx.fail(result.cause());
                }
              };
          if (Vertx.currentContext() == context) {
            rest.run();
          } else {
            context.runOnContext(v -> rest.run());
          }
        });
  }
}
