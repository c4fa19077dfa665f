package dev.latchkey.load;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * When operations start: as soon as there is room (closed loop), or at a fixed rate (open loop).
 *
 * @param perSecond operations per second of the open loop
 * @param durationMillis end of new operations
 * @param backlog most operations of the open loop that may wait for room
 */
record ArrivalSettings(OptionalDouble perSecond, OptionalLong durationMillis, int backlog) {

  /** Default backlog: bridges a pause, but does not hide a service that is too slow. */
  static final int BACKLOG = 10_000;

  /** Returns whether latency counts from when an operation was due. */
  boolean open() {
    return perSecond.isPresent();
  }

  /**
   * Starts the arrivals.
   *
   * @param keys most operations
   * @param nowNanos by {@link System#nanoTime()}
   */
  Arrivals start(int keys, long nowNanos) {
    OptionalLong durationNanos =
        durationMillis.stream().map(millis -> millis * 1_000_000).findAny();
    return perSecond.isPresent()
        ? new OpenArrivals(keys, nowNanos, perSecond.getAsDouble(), durationNanos, backlog)
        : new ClosedArrivals(keys, nowNanos, durationNanos);
  }
}
