package dev.latchkey.psp;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.LongSupplier;

/** A clock that stands still and timers that run when the test says so. For one thread. */
final class ManualTime implements DelayScheduler, LongSupplier {
  private final Queue<Timer> timers =
      new PriorityQueue<>(Comparator.comparingLong(Timer::dueMillis));
  private long nowMillis;

  private record Timer(long dueMillis, Runnable task) {}

  @Override
  public Scheduled after(long delayMillis, Runnable task) {
    Timer timer = new Timer(nowMillis + delayMillis, task);
    timers.add(timer);
    return () -> timers.remove(timer);
  }

  @Override
  public long getAsLong() {
    return nowMillis;
  }

  void advance(long millis) {
    long endMillis = nowMillis + millis;
    while (!timers.isEmpty() && timers.peek().dueMillis() <= endMillis) {
      Timer timer = timers.remove();
      nowMillis = timer.dueMillis();
      timer.task().run();
    }
    nowMillis = endMillis;
  }

  int waiting() {
    return timers.size();
  }
}
