package dev.latchkey.load;

import java.util.ArrayDeque;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The operations that are due. In the closed loop one is due whenever there is room. In the open
 * loop they are due at a steady rate and wait for room in a bounded backlog; one that finds the
 * backlog full is not started, but counted, so that neither a slow service nor a slow generator can
 * hide it. Times are nanoseconds of one clock. Confined to one event loop.
 */
final class Arrivals {

  /** Default backlog: bridges a pause, but does not hide a service that is too slow. */
  static final int BACKLOG = 10_000;

  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * When operations start.
   *
   * @param perSecond rate of the open loop; empty for the closed loop
   * @param durationNanos end of new operations
   * @param backlog most operations of the open loop that may wait for room
   */
  record Settings(OptionalDouble perSecond, OptionalLong durationNanos, int backlog) {

    /** Returns whether latency counts from when an operation was due. */
    boolean open() {
      return perSecond.isPresent();
    }

    private long total(int keys) {
      return durationNanos.isEmpty() || !open()
          ? keys
          : Math.min(
              keys,
              (long)
                  Math.ceil(
                      durationNanos.getAsLong() / NANOS_PER_SECOND * perSecond.getAsDouble()));
    }
  }

  private final Settings settings;
  private final long total;
  private final long startNanos;
  private final ArrayDeque<Long> waiting = new ArrayDeque<>();
  private long arrived;
  private long notStarted;

  /** Starts with one operation that is due at once, because an empty run proves nothing. */
  Arrivals(Settings settings, int keys, long startNanos) {
    this.settings = settings;
    this.total = settings.total(keys);
    this.startNanos = startNanos;
  }

  /** Takes the next operation, if one is due, and returns when it was due. */
  OptionalLong next(long nowNanos) {
    if (over(nowNanos)) {
      return OptionalLong.empty();
    }
    if (!settings.open()) {
      arrived++;
      return OptionalLong.of(nowNanos);
    }
    Long due = waiting.poll();
    return due == null ? OptionalLong.empty() : OptionalLong.of(due);
  }

  /** Returns whether no operation will be due again. */
  boolean over(long nowNanos) {
    if (settings.open()) {
      collect(nowNanos, settings.perSecond().getAsDouble());
      return arrived == total && waiting.isEmpty();
    }
    boolean late = nowNanos - startNanos >= settings.durationNanos().orElse(Long.MAX_VALUE);
    return arrived == total || (late && arrived > 0);
  }

  private void collect(long nowNanos, double perSecond) {
    long due = 1 + (long) ((nowNanos - startNanos) / NANOS_PER_SECOND * perSecond);
    while (arrived < Math.min(total, due)) {
      if (waiting.size() < settings.backlog()) {
        waiting.add(startNanos + Math.round(arrived * NANOS_PER_SECOND / perSecond));
      } else {
        notStarted++;
      }
      arrived++;
    }
  }

  /**
   * Ends the arrivals. Waiting operations of the open loop count as not started.
   *
   * @return planned operations of the closed loop that were not taken
   */
  long abandon() {
    notStarted += waiting.size();
    waiting.clear();
    return settings.open() || settings.durationNanos().isPresent() ? 0 : total - arrived;
  }

  /** Returns the operations that were due and found the backlog full. */
  long notStarted() {
    return notStarted;
  }
}
