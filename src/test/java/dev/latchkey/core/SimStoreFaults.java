package dev.latchkey.core;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** The current faults of the store. */
final class SimStoreFaults {

  final SimPlan plan;

  /** Calls by process, operation and key. */
  final Map<String, Integer> counts = new HashMap<>();

  private final SimWorld world;
  private final Deque<Runnable> queued = new ArrayDeque<>();
  private boolean stalled;
  private long stalledUntilNanos;
  private boolean fair;

  SimStoreFaults(SimWorld world, SimPlan plan) {
    this.world = world;
    this.plan = plan;
  }

  /** Counts an occurrence and returns its unique name. */
  String next(String occasion) {
    return occasion + " #" + counts.merge(occasion, 1, Integer::sum);
  }

  double callFault() {
    return fair ? 0 : plan.callFault();
  }

  double lostNotice() {
    return fair ? 0 : plan.lostNotice();
  }

  /** Latency of one direction, with or without the named fault. */
  long delayNanos(String name, SplittableRandom dice) {
    boolean slow = !fair && world.fault(name, plan.slowCall());
    long most = dice.nextInt(5) == 0 ? 8_000 : 1_500;
    return slow
        ? dice.nextLong(100, most) * SimWorld.MILLI
        : dice.nextLong(100_000, 5 * SimWorld.MILLI);
  }

  /** Runs a call that reached the store, once the store is active. */
  void whenOpen(Runnable body) {
    if (stalled) {
      queued.add(body);
    } else {
      body.run();
    }
  }

  void stall(long millis) {
    world.tell(() -> "store: stalls for " + millis + " ms");
    stalled = true;
    stalledUntilNanos = Math.max(stalledUntilNanos, world.nowNanos() + millis * SimWorld.MILLI);
    world.after(SimWorld.NATURE, millis * SimWorld.MILLI, this::open);
  }

  /** How long the store will not reply, as far as is known. */
  long stalledNanos() {
    return Math.max(0, stalledUntilNanos - world.nowNanos());
  }

  private void open() {
    world.tell(() -> "store: answers again");
    stalled = false;
    while (!queued.isEmpty() && !stalled) {
      queued.remove().run();
    }
  }

  /** No faults from now on. */
  void clearUp() {
    fair = true;
    if (stalled) {
      open();
    }
  }
}
