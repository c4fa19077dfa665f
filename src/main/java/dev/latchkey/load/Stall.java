package dev.latchkey.load;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Notices that there has been trouble for too long with nothing getting on in between, so that a
 * run against a dead service ends. Used from one event loop.
 */
final class Stall {
  private final long limitNanos;
  private final LongSupplier nanoClock;
  private OptionalLong troubleSince = OptionalLong.empty();

  Stall(long limitMillis) {
    this(limitMillis, System::nanoTime);
  }

  Stall(long limitMillis, LongSupplier nanoClock) {
    limitNanos = TimeUnit.MILLISECONDS.toNanos(limitMillis);
    this.nanoClock = nanoClock;
  }

  /** Something got on. */
  void progress() {
    troubleSince = OptionalLong.empty();
  }

  /** Something did not. */
  void trouble() {
    if (troubleSince.isEmpty()) {
      troubleSince = OptionalLong.of(nanoClock.getAsLong());
    }
  }

  /** Whether the last that was heard is trouble. */
  boolean inTrouble() {
    return troubleSince.isPresent();
  }

  /** Whether there is no point in going on. */
  boolean expired() {
    return troubleSince.isPresent()
        && nanoClock.getAsLong() - troubleSince.getAsLong() >= limitNanos;
  }
}
