package dev.latchkey.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Time, randomness and order of one simulated history: one thread, one seed, no real clock. Every
 * name has its own random stream, so that removing one fault leaves all other choices unchanged.
 */
final class SimWorld {

  /** Runs tasks, holds them while paused, or drops them when dead. */
  interface Host {
    void accept(Runnable task);
  }

  private static final class Task implements Runnable {
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

    @Override
    public void run() {
      if (!cancelled) {
        body.run();
      }
    }
  }

  static final Host NATURE = Runnable::run;
  static final long MILLI = 1_000_000L;

  final SimScript script;
  final List<String> story = new ArrayList<>();

  /** Names of all parts and faults that occurred. */
  final Set<String> occurred = new LinkedHashSet<>();

  private final boolean telling;
  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(
          Comparator.comparingLong((Task it) -> it.atNanos).thenComparingLong(it -> it.order));
  private long nowNanos = 1_000_000 * MILLI;
  private final long startNanos = nowNanos;
  private long order;

  SimWorld(SimScript script, boolean telling) {
    this.script = script;
    this.telling = telling;
  }

  long nowNanos() {
    return nowNanos;
  }

  /** Whether this bug is planted. */
  boolean has(SimMutant mutant) {
    return script.mutant() == mutant;
  }

  Environment.Timer after(Host host, long delayNanos, Runnable body) {
    Task task = new Task(nowNanos + Math.max(1, delayNanos), order++, host, body);
    tasks.add(task);
    return () -> task.cancelled = true;
  }

  /** Advances the time and runs the tasks that are due. */
  void passMillis(long millis) {
    long until = nowNanos + millis * MILLI;
    while (!tasks.isEmpty() && tasks.peek().atNanos <= until) {
      Task task = tasks.remove();
      if (!task.cancelled) {
        nowNanos = task.atNanos;
        task.host.accept(task);
      }
    }
    nowNanos = until;
  }

  /** Number of pending tasks of a host. */
  long pending(Host host) {
    return tasks.stream().filter(it -> it.host == host && !it.cancelled).count();
  }

  /** The random stream with this name, from its beginning. */
  SplittableRandom dice(String name) {
    long mixed = script.seed() + name.hashCode() * 0xD1342543DE82EF95L;
    mixed = (mixed ^ (mixed >>> 32)) * 0xBF58476D1CE4E5B9L;
    return new SplittableRandom(mixed ^ (mixed >>> 29));
  }

  /** Whether the fault with this unique name occurs. */
  boolean fault(String name, double probability) {
    if (probability <= 0 || dice(name).nextDouble() >= probability || !script.allows(name)) {
      return false;
    }
    occurred.add(name);
    return true;
  }

  /** Whether the part with this name exists: it does unless the script omits it. */
  boolean part(String name) {
    return fault(name, 2);
  }

  /** Adds a line to the story, if it is recorded. */
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
