package dev.latchkey.testing;

import io.vertx.core.Future;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Blocks a test until a future completes or a condition holds. Only a defect reaches the limit, so
 * it says nothing about speed. Never call it on an event loop.
 */
public final class Await {

  /** Generous, because a build machine may pause. */
  public static final long LIMIT_MILLIS = 60_000;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private Await() {}

  /** Returns the result of a future. Rethrows an unchecked failure as it is. */
  public static <T> T await(Future<T> future) {
    return await(future.toCompletionStage(), LIMIT_MILLIS);
  }

  /** Returns the result of a future, which must come within a limit. */
  public static <T> T await(Future<T> future, long limitMillis) {
    return await(future.toCompletionStage(), limitMillis);
  }

  /** Returns the result of a stage. Rethrows an unchecked failure as it is. */
  public static <T> T await(CompletionStage<T> stage) {
    return await(stage, LIMIT_MILLIS);
  }

  private static <T> T await(CompletionStage<T> stage, long limitMillis) {
    try {
      return stage.toCompletableFuture().get(limitMillis, TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new AssertionError(failed.getCause());
    } catch (TimeoutException late) {
      throw new AssertionError("no result within " + limitMillis + " ms", late);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError(interrupted);
    }
  }

  /**
   * Polls until a condition holds.
   *
   * @param what the condition in words, for the failure message
   */
  public static void until(String what, BooleanSupplier condition) {
    until(what, condition, LIMIT_MILLIS);
  }

  /** Polls until a condition holds, which must be within a limit. */
  public static void until(String what, BooleanSupplier condition, long limitMillis) {
    long startNanos = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - startNanos > TimeUnit.MILLISECONDS.toNanos(limitMillis)) {
        throw new AssertionError("not within " + limitMillis + " ms: " + what);
      }
      pause();
    }
  }

  /** Sleeps for a millisecond between two polls. */
  public static void pause() {
    LockSupport.parkNanos(PAUSE_NANOS);
  }
}
