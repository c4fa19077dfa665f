package dev.latchkey.load;

import java.util.ArrayDeque;
import java.util.OptionalLong;

/**
 * The open loop: operations fall due at a steady rate and wait in a bounded backlog for room. One
 * that finds the backlog full is never started, and counted, so that neither a slow service nor a
 * slow generator can hide what was meant to be sent.
 */
final class OpenArrivals implements Arrivals {
  private static final double NANOS_PER_SECOND = 1e9;

  private final long beganNanos;
  private final double perSecond;
  private final long total;
  private final int backlog;
  private final ArrayDeque<Long> waiting = new ArrayDeque<>();
  private long arrived;
  private long notStarted;

  /**
   * Begins with one operation that is due at once.
   *
   * @param keys most operations
   * @param beganNanos when the first is due
   * @param perSecond more than 0
   * @param durationNanos none falls due from here on
   * @param backlog most that wait
   */
  OpenArrivals(
      int keys, long beganNanos, double perSecond, OptionalLong durationNanos, int backlog) {
    this.beganNanos = beganNanos;
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
    long due = 1 + (long) ((nowNanos - beganNanos) / NANOS_PER_SECOND * perSecond);
    while (arrived < Math.min(total, due)) {
      if (waiting.size() < backlog) {
        waiting.add(beganNanos + Math.round(arrived * NANOS_PER_SECOND / perSecond));
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

  /** None are owed: what fell due and waits counts as not started. */
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
