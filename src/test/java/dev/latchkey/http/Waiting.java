package dev.latchkey.http;

import io.vertx.core.Future;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what is bound to come. The limits are reached only when it never does. */
final class Waiting {

  static final long LIMIT_MILLIS = 60_000;

  private static final long LOOK_AGAIN_NANOS = 500_000;

  private Waiting() {}

  static <T> T await(Future<T> future) {
    return await(future, LIMIT_MILLIS);
  }

  static <T> T await(Future<T> future, long limitMillis) {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .get(limitMillis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      throw new AssertionError("nothing came within " + limitMillis + " ms", late);
    } catch (ExecutionException failed) {
      throw new AssertionError(failed.getCause());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new AssertionError(stopped);
    }
  }

  static void until(String what, BooleanSupplier holds) {
    until(what, holds, LIMIT_MILLIS);
  }

  static void until(String what, BooleanSupplier holds, long limitMillis) {
    long fromNanos = System.nanoTime();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() - fromNanos > limitMillis * 1_000_000) {
        throw new AssertionError("never: " + what);
      }
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
  }
}
