package dev.latchkey.idempotency.impl.flow;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** How the store is doing at the moment, for all who talk to it. */
final class SimStoreWeather {

  final SimPlan plan;
  final Map<String, Integer> counts = new HashMap<>();
  private final SimWorld world;
  private final Deque<Runnable> queued = new ArrayDeque<>();
  private boolean stalled;
  private boolean fair;

  SimStoreWeather(SimWorld world, SimPlan plan) {
    this.world = world;
    this.plan = plan;
  }

  double callFault() {
    return fair ? 0 : plan.callFault();
  }

  double lostNotice() {
    return fair ? 0 : plan.lostNotice();
  }

  long delayNanos() {
    boolean slow = !fair && world.chance(plan.slowCall());
    return slow
        ? world.between(100, world.chance(0.2) ? 8_000 : 1_500) * SimWorld.MILLI
        : world.between(100_000, 5 * SimWorld.MILLI);
  }

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
    world.after(SimWorld.NATURE, millis * SimWorld.MILLI, this::open);
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
