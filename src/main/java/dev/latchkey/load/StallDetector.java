package dev.latchkey.load;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Detects failures over a period without any success, so that a run against a dead service ends.
 * Confined to one event loop.
 */
final class StallDetector {

  private final long limitNanos;
  private final LongSupplier nanoClock;
  private OptionalLong failingSince = OptionalLong.empty();

  StallDetector(long limitMillis) {
    this(limitMillis, System::nanoTime);
  }

  StallDetector(long limitMillis, LongSupplier nanoClock) {
    limitNanos = TimeUnit.MILLISECONDS.toNanos(limitMillis);
    this.nanoClock = nanoClock;
  }

  void succeeded() {
    failingSince = OptionalLong.empty();
  }

  void failed() {
    if (failingSince.isEmpty()) {
      failingSince = OptionalLong.of(nanoClock.getAsLong());
    }
  }

  /** Returns whether the last event was a failure. */
  boolean isFailing() {
    return failingSince.isPresent();
  }

  boolean expired() {
    return failingSince.isPresent()
        && nanoClock.getAsLong() - failingSince.getAsLong() >= limitNanos;
  }
}
