package dev.latchkey.core;

import io.vertx.core.Future;
import java.util.SplittableRandom;

/** Faults of whole nodes and of the whole store, at times drawn from the seed. */
final class SimFaults {

  private final SimWorld world;
  private final SimPlan plan;
  private final SimHistory history;

  SimFaults(SimHistory history) {
    this.history = history;
    world = history.world;
    plan = history.plan;
  }

  void schedule() {
    for (int i = 1; i <= plan.nodeEvents(); i++) {
      SplittableRandom dice = world.dice("node event " + i + " how");
      if (world.part("node event " + i)) {
        strike(dice, () -> nodeEvent(dice));
      }
    }
    for (int i = 1; i <= plan.storeEvents(); i++) {
      SplittableRandom dice = world.dice("store event " + i + " how");
      if (world.part("store event " + i)) {
        strike(dice, () -> storeEvent(dice));
      }
    }
    if (plan.forgets()) {
      flushNowAndThen(world.dice("flush"));
    }
  }

  private void strike(SplittableRandom dice, Runnable event) {
    boolean early = dice.nextInt(10) < 6;
    long within = early ? 5_000 : plan.faultsMillis();
    world.after(SimWorld.NATURE, dice.nextLong(1, within) * SimWorld.MILLI, event);
  }

  private void nodeEvent(SplittableRandom dice) {
    SimProcess process = history.anyProcess(dice);
    if (process.isDead() || process.isPaused() || !history.goesOn()) {
      return;
    }
    boolean jumps = world.fault("clock of " + process.name + " jumps", 0.15);
    switch (jumps ? -1 : dice.nextInt(6)) {
      case -1 -> process.jump(dice.nextLong(100, 15_000));
      case 0, 1 -> crash(process, dice);
      case 2, 3 -> pause(process, dice);
      case 4 -> drain(process, dice);
      default -> deafen(process, dice);
    }
  }

  private void crash(SimProcess process, SplittableRandom dice) {
    if (!process.isDead()) {
      process.crash();
      long later = dice.nextLong(1, 20_000) * SimWorld.MILLI;
      world.after(SimWorld.NATURE, later, () -> history.startAgain(process));
    }
  }

  /** Shorter than a lease, longer than one, or longer than the retention. */
  private void pause(SimProcess process, SplittableRandom dice) {
    process.pause();
    boolean pastRetention = plan.terms().retentionMillis() <= 60_000 && dice.nextBoolean();
    long millis = dice.nextLong(100, pastRetention ? 90_000 : 20_000);
    world.after(SimWorld.NATURE, millis * SimWorld.MILLI, process::resume);
  }

  private void deafen(SimProcess process, SplittableRandom dice) {
    if (plan.kind() != SimPlan.Kind.FAIR_STORE) {
      process.link.notices().goDeaf(dice.nextLong(1, 30_000));
    }
  }

  private void drain(SimProcess process, SplittableRandom dice) {
    world.tell(() -> process.name + " drains");
    history.judge.drains(process);
    Future<Void> drained = process.engine.drain();
    drained.onSuccess(
        done -> {
          process.drained();
          world.after(SimWorld.NATURE, 1, () -> crash(process, dice));
        });
    world.after(SimWorld.NATURE, 150_000 * SimWorld.MILLI, () -> mustHaveDrained(process));
  }

  private void mustHaveDrained(SimProcess process) {
    boolean done = process.isDead() || process.pausedNanos > 0;
    world.require(done, () -> process.name + " never finished its drain");
  }

  private void storeEvent(SplittableRandom dice) {
    if (!history.goesOn()) {
      return;
    }
    if (plan.forgets() && dice.nextInt(10) < 7) {
      world.tell(() -> "store: crashes");
      history.records.crash();
      history.living(it -> it.link.notices().missed(dice.nextLong(1, 3_000)));
    } else {
      history.weather.stall(dice.nextLong(100, 20_000));
      history.living(it -> it.trouble(history.weather.stalledNanos()));
    }
  }

  private void flushNowAndThen(SplittableRandom dice) {
    if (history.goesOn()) {
      history.records.rows.flushAll();
      long later = dice.nextLong(10, 4_000) * SimWorld.MILLI;
      world.after(SimWorld.NATURE, later, () -> flushNowAndThen(dice));
    }
  }
}
