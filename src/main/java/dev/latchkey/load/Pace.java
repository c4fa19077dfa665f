package dev.latchkey.load;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * When operations begin: as soon as there is room (closed loop), or at a rate, whatever the service
 * makes of it (open loop).
 *
 * @param perSecond operations a second, for the open loop
 * @param durationMillis after which none begins any more
 * @param backlog most operations of the open loop that wait for room
 */
record Pace(OptionalDouble perSecond, OptionalLong durationMillis, int backlog) {

  /** What a run uses: enough to ride out a pause, not enough to hide that a service is too slow. */
  static final int BACKLOG = 10_000;

  /** Whether latency counts from when an operation was meant to begin. */
  boolean open() {
    return perSecond.isPresent();
  }

  /**
   * Begins.
   *
   * @param keys most operations
   * @param nowNanos by {@link System#nanoTime()}
   */
  Arrivals begin(int keys, long nowNanos) {
    OptionalLong durationNanos =
        durationMillis.stream().map(millis -> millis * 1_000_000).findAny();
    return perSecond.isPresent()
        ? new OpenArrivals(keys, nowNanos, perSecond.getAsDouble(), durationNanos, backlog)
        : new ClosedArrivals(keys, nowNanos, durationNanos);
  }
}
