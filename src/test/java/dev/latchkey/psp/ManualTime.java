package dev.latchkey.psp;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/** A clock and timers that advance only when the test says so. For one thread. */
public final class ManualTime implements LongFunction<Future<Void>>, LongSupplier {
  private final Queue<Timer> timers =
      new PriorityQueue<>(Comparator.comparingLong(Timer::dueMillis));
  private long nowMillis;

  private record Timer(long dueMillis, Promise<Void> elapsed) {}

  @Override
  public Future<Void> apply(long delayMillis) {
    Timer timer = new Timer(nowMillis + delayMillis, Promise.promise());
    timers.add(timer);
    return timer.elapsed().future();
  }

  @Override
  public long getAsLong() {
    return nowMillis;
  }

  /** Lets time pass and the due timers elapse in order. */
  public void advance(long millis) {
    long endMillis = nowMillis + millis;
    while (!timers.isEmpty() && timers.peek().dueMillis() <= endMillis) {
      Timer timer = timers.remove();
      nowMillis = timer.dueMillis();
      timer.elapsed().complete();
    }
    nowMillis = endMillis;
  }

  int waiting() {
    return timers.size();
  }
}
