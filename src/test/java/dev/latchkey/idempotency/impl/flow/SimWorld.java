package dev.latchkey.idempotency.impl.flow;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Time, chance and order of one simulated history: one thread, one seed, no clock of this host. */
final class SimWorld {

  /** Runs tasks, or keeps them while it is paused, or drops them when it is dead. */
  interface Host {
    void accept(Runnable task);
  }

  private static final class Task {
    final long atNanos;
    final long order;
    final Host host;
    final Runnable body;
    boolean cancelled;

    Task(long atNanos, long order, Host host, Runnable body) {
      this.atNanos = atNanos;
      this.order = order;
      this.host = host;
      this.body = body;
    }
  }

  static final Host NATURE = Runnable::run;
  static final long MILLI = 1_000_000L;

  final SplittableRandom random;
  final SimMutant mutant;
  final List<String> story = new ArrayList<>();
  private final boolean telling;
  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(
          Comparator.comparingLong((Task it) -> it.atNanos).thenComparingLong(it -> it.order));
  private long nowNanos = 1_000_000 * MILLI;
  private final long startNanos = nowNanos;
  private long order;

  SimWorld(long seed, SimMutant mutant, boolean telling) {
    random = new SplittableRandom(seed);
    this.mutant = mutant;
    this.telling = telling;
  }

  long nowNanos() {
    return nowNanos;
  }

  Surroundings.Timer after(Host host, long delayNanos, Runnable body) {
    Task task = new Task(nowNanos + Math.max(1, delayNanos), order++, host, body);
    tasks.add(task);
    return () -> task.cancelled = true;
  }

  /** Lets time pass, and whatever is due in it happen. */
  void passMillis(long millis) {
    long until = nowNanos + millis * MILLI;
    while (!tasks.isEmpty() && tasks.peek().atNanos <= until) {
      Task task = tasks.remove();
      if (!task.cancelled) {
        nowNanos = task.atNanos;
        task.host.accept(task.body);
      }
    }
    nowNanos = until;
  }

  boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  /** From the first, inclusive, to the last, exclusive. */
  long between(long from, long to) {
    return random.nextLong(from, to);
  }

  /** Notes one line of the story; costs nothing unless the history is told. */
  void tell(Supplier<String> line) {
    if (telling) {
      story.add(String.format("%10.3f s  %s", (nowNanos - startNanos) / 1e9, line.get()));
    }
  }

  void require(boolean holds, Supplier<String> otherwise) {
    if (!holds) {
      tell(() -> "VIOLATION " + otherwise.get());
      throw new SimViolation(otherwise.get());
    }
  }
}
