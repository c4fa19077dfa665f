package dev.latchkey.service;

import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * How long a start waits for a server. One that refuses is told of at once: its address, its
 * password or its state is wrong. One that is silent is asked again for a while, since it or this
 * machine may only be busy, as machines are when many programs start on them.
 */
final class StartPatience {

  /** An attempt that took so long before it failed was not refused: the server was silent. */
  static final long SILENCE_MILLIS = 1_000;

  /** After so long no other attempt begins. */
  static final long LIMIT_MILLIS = 10_000;

  private StartPatience() {}

  /**
   * Asks until the server answers, refuses or has been silent for too long.
   *
   * @param attempt asks once, within a bounded time, and leaves nothing behind when it fails
   * @param clockNanos a clock that never goes back
   * @return what the last attempt came to
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
