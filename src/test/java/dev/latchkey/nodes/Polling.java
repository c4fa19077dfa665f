package dev.latchkey.nodes;

import io.vertx.core.Future;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what is bound to come. The limits are reached only when it never does. */
final class Polling {

  static final long LIMIT_SECONDS = 60;

  private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private Polling() {}

  static void until(String what, BooleanSupplier holds) {
    long fromNanos = System.nanoTime();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() - fromNanos > TimeUnit.SECONDS.toNanos(LIMIT_SECONDS)) {
        throw new AssertionError("never: " + what);
      }
      pause();
    }
  }

  /** Leaves the processor to others for a moment. */
  static void pause() {
    LockSupport.parkNanos(LOOK_AGAIN_NANOS);
  }

  static <T> T await(Future<T> future) {
    return await(future.toCompletionStage().toCompletableFuture());
  }

  static <T> T await(CompletableFuture<T> future) {
    try {
      return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      throw new AssertionError(failed.getCause());
    } catch (TimeoutException late) {
      throw new AssertionError("nothing came within " + LIMIT_SECONDS + " s", late);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new AssertionError(stopped);
    }
  }
}
