package dev.latchkey.service;

import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Retries at startup while a server is silent. A server that refuses fails the start at once,
 * because its address, password or state is wrong. A silent server is retried for a while: it, or
 * this machine, may only be busy.
 */
final class StartPatience {

  /** A failure after at least this time counts as silence, not as a refusal. */
  static final long SILENCE_MILLIS = 1_000;

  /** No attempt begins after this time. */
  static final long LIMIT_MILLIS = 10_000;

  private StartPatience() {}

  /**
   * Attempts until the server responds, refuses or is silent beyond the limit.
   *
   * @param attempt one attempt, bounded in time; leaves nothing behind if it fails
   * @param clockNanos a monotonic clock
   * @return the result of the last attempt
   */
  static Future<Void> ask(Supplier<Future<Void>> attempt, LongSupplier clockNanos) {
    return ask(attempt, clockNanos, clockNanos.getAsLong());
  }

  private static Future<Void> ask(
      Supplier<Future<Void>> attempt, LongSupplier clockNanos, long firstNanos) {
    long beganNanos = clockNanos.getAsLong();
    return attempt
        .get()
        .recover(
            cause -> {
              long nowNanos = clockNanos.getAsLong();
              boolean silent = millis(nowNanos - beganNanos) >= SILENCE_MILLIS;
              return silent && millis(nowNanos - firstNanos) < LIMIT_MILLIS
                  ? ask(attempt, clockNanos, firstNanos)
                  : Future.failedFuture(cause);
            });
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }
}
