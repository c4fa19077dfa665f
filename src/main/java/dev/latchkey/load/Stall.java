package dev.latchkey.load;

import java.util.concurrent.TimeUnit;

/** Notices that nothing has got on for too long, so that a run against a dead service ends. */
final class Stall {
  private final long limitNanos;
  private long lastNanos = System.nanoTime();

  Stall(long limitMillis) {
    limitNanos = TimeUnit.MILLISECONDS.toNanos(limitMillis);
  }

  /** Something got on. */
  void progress() {
    lastNanos = System.nanoTime();
  }

  boolean expired() {
    return System.nanoTime() - lastNanos > limitNanos;
  }
}
