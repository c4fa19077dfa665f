package dev.latchkey.load;

import java.util.ArrayDeque;
import java.util.OptionalLong;

/**
 * The open loop: operations are due at a steady rate and wait for room in a bounded backlog. An
 * operation that finds the backlog full is not started, but counted, so that neither a slow service
 * nor a slow generator can hide it.
 */
final class OpenArrivals implements Arrivals {
  private static final double NANOS_PER_SECOND = 1e9;

  private final long startNanos;
  private final double perSecond;
  private final long total;
  private final int backlog;
  private final ArrayDeque<Long> waiting = new ArrayDeque<>();
  private long arrived;
  private long notStarted;

  /**
   * Starts with one operation that is due at once.
   *
   * @param keys most operations
   * @param startNanos when the first is due
   * @param perSecond more than 0
   * @param durationNanos end of new operations
   * @param backlog most operations that wait
   */
  OpenArrivals(
      int keys, long startNanos, double perSecond, OptionalLong durationNanos, int backlog) {
    this.startNanos = startNanos;
    this.perSecond = perSecond;
    this.backlog = backlog;
    this.total =
        durationNanos.isEmpty()
            ? keys
            : Math.min(
                keys, (long) Math.ceil(durationNanos.getAsLong() / NANOS_PER_SECOND * perSecond));
  }

  @Override
  public OptionalLong next(long nowNanos) {
    collect(nowNanos);
    Long due = waiting.poll();
    return due == null ? OptionalLong.empty() : OptionalLong.of(due);
  }

  private void collect(long nowNanos) {
    long due = 1 + (long) ((nowNanos - startNanos) / NANOS_PER_SECOND * perSecond);
    while (arrived < Math.min(total, due)) {
      if (waiting.size() < backlog) {
        waiting.add(startNanos + Math.round(arrived * NANOS_PER_SECOND / perSecond));
      } else {
        notStarted++;
      }
      arrived++;
    }
  }

  @Override
  public boolean over(long nowNanos) {
    collect(nowNanos);
    return arrived == total && waiting.isEmpty();
  }

  /** Waiting operations count as not started. */
  @Override
  public long abandon() {
    notStarted += waiting.size();
    waiting.clear();
    return 0;
  }

  @Override
  public long notStarted() {
    return notStarted;
  }
}
