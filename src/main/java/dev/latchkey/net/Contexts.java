package dev.latchkey.net;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.util.function.Supplier;

/** Calls on the event loop of a context. Safe for any thread. */
public final class Contexts {

  private Contexts() {}

  /**
   * Calls on the event loop of a context: at once if the caller is on it, else in a task.
   *
   * @param context whose event loop
   * @param call an exception that it throws fails the future
   * @param <T> of the result
   * @return the result of the call
   */
  public static <T> Future<T> call(ContextInternal context, Supplier<Future<T>> call) {
    if (context.nettyEventLoop().inEventLoop()) {
      return result(call);
    }
    Promise<T> promise = Promise.promise();
    context.runOnContext(ignored -> result(call).onComplete(promise));
    return promise.future();
  }

  private static <T> Future<T> result(Supplier<Future<T>> call) {
    try {
      return call.get();
    } catch (RuntimeException failure) {
      return Future.failedFuture(failure);
    }
  }
}
