package dev.latchkey.core;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** How the store is doing at the moment, for all who talk to it. */
final class SimStoreFaults {

  final SimPlan plan;

  /** How often each process made each call about each key. */
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

  /** Counts an occasion, and gives it a name of its own. */
  String next(String occasion) {
    return occasion + " #" + counts.merge(occasion, 1, Integer::sum);
  }

  double callFault() {
    return fair ? 0 : plan.callFault();
  }

  double lostNotice() {
    return fair ? 0 : plan.lostNotice();
  }

  /** How long one way takes, with a fault of this name or without. */
  long delayNanos(String name, SplittableRandom dice) {
    boolean slow = !fair && world.fault(name, plan.slowCall());
    long most = dice.nextInt(5) == 0 ? 8_000 : 1_500;
    return slow
        ? dice.nextLong(100, most) * SimWorld.MILLI
        : dice.nextLong(100_000, 5 * SimWorld.MILLI);
  }

  /** Runs what has reached the store, as soon as the store does anything. */
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

  /** How long nothing will be answered, as far as is known. */
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
