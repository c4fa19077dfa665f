package dev.latchkey.idempotency.impl.flow;

import dev.latchkey.idempotency.LostOwner;
import dev.latchkey.idempotency.spi.Phase;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/** One history: made from a seed, run to its end, judged at every step. */
final class SimHistory {

  private static final long REST_MILLIS = 240_000;

  final SimWorld world;
  final SimPlan plan;
  final SimJudge judge;
  private final SimRecords records;
  private final SimStoreWeather weather;
  private final List<SimProcess> processes = new ArrayList<>();
  private final SimProcess[] nodes;
  private boolean goesOn = true;
  private boolean cleared;

  SimHistory(long seed, SimMutant mutant, boolean telling) {
    world = new SimWorld(seed, mutant, telling);
    plan = SimPlan.draw(world.random);
    records = new SimRecords(world);
    weather = new SimStoreWeather(world, plan);
    judge = new SimJudge(world, records, plan);
    nodes = new SimProcess[plan.nodes()];
    world.tell(plan::toString);
    for (int i = 0; i < nodes.length; i++) {
      start(i);
    }
  }

  List<String> story() {
    return world.story;
  }

  private void start(int index) {
    String name = (char) ('A' + index) + (nodes[index] == null ? "" : "'" + processes.size());
    nodes[index] = new SimProcess(world, records, weather, processes.size(), name);
    processes.add(nodes[index]);
  }

  /** Whether clients still try. */
  boolean goesOn() {
    return goesOn;
  }

  /** Whether clients and handlers may still misbehave. */
  boolean isFoul() {
    return !cleared;
  }

  /** A process that accepts connections, or none. */
  SimProcess anyProcess() {
    SimProcess process = nodes[(int) world.between(0, nodes.length)];
    return process.isDead() ? null : process;
  }

  /** Runs the history; fails with {@link SimViolation}. */
  void run() {
    for (int i = 0; i < plan.clients(); i++) {
      String key = "key" + world.between(1, plan.keys() + 1);
      String body = world.chance(plan.wrongBody()) ? "pay 20" : "pay 10";
      long spread = world.chance(0.5) ? 3_000 : plan.faultsMillis() / 2;
      new SimClient(this, "client " + (i + 1), key, body).sendIn(world.between(1, spread));
    }
    for (int i = 0; i < plan.nodeEvents(); i++) {
      strike(this::nodeEvent);
    }
    for (int i = 0; i < plan.storeEvents(); i++) {
      strike(this::storeEvent);
    }
    if (plan.forgets()) {
      flushNowAndThen();
    }
    world.passMillis(plan.faultsMillis());
    clearUp();
    world.passMillis(REST_MILLIS);
    judge.atRest(processes);
    if (plan.calm()) {
      judge.budget(weather.counts);
    }
    everyKeyIsUsable();
  }

  private void strike(Runnable event) {
    boolean early = world.chance(0.6);
    long within = early ? 5_000 : plan.faultsMillis();
    world.after(SimWorld.NATURE, world.between(1, within) * SimWorld.MILLI, event);
  }

  private void nodeEvent() {
    int index = (int) world.between(0, nodes.length);
    SimProcess process = nodes[index];
    if (process.isDead() || process.isPaused() || !goesOn) {
      return;
    }
    long kind = world.between(0, 5);
    if (kind < 2) {
      crash(index, process);
    } else if (kind < 4) {
      process.pause();
      long most = plan.terms().retentionMillis() == 60_000 && world.chance(0.5) ? 90_000 : 20_000;
      world.after(SimWorld.NATURE, world.between(100, most) * SimWorld.MILLI, process::resume);
    } else {
      drain(index, process);
    }
  }

  private void crash(int index, SimProcess process) {
    if (nodes[index] != process || process.isDead()) {
      return;
    }
    process.crash();
    long later = world.between(1, 20_000) * SimWorld.MILLI;
    world.after(SimWorld.NATURE, later, () -> start(index));
  }

  private void drain(int index, SimProcess process) {
    world.tell(() -> process.name + " drains");
    judge.draining = true;
    Future<Void> drained = process.flow.drain();
    drained.onSuccess(
        done -> {
          world.tell(() -> process.name + " is drained");
          world.after(SimWorld.NATURE, 1, () -> crash(index, process));
        });
    world.after(SimWorld.NATURE, 150_000 * SimWorld.MILLI, () -> mustHaveDrained(process));
  }

  private void mustHaveDrained(SimProcess process) {
    boolean done = process.isDead() || process.pausedNanos > 0;
    world.require(done, () -> process.name + " never finished its drain");
  }

  private void storeEvent() {
    if (!goesOn) {
      return;
    }
    if (plan.forgets() && world.chance(0.7)) {
      world.tell(() -> "store: crashes");
      records.crash();
      processes.stream().filter(it -> !it.isDead()).forEach(it -> it.link.broken());
    } else {
      weather.stall(world.between(100, 20_000));
    }
  }

  private void flushNowAndThen() {
    if (goesOn) {
      records.flushAll();
      world.after(
          SimWorld.NATURE, world.between(10, 4_000) * SimWorld.MILLI, this::flushNowAndThen);
    }
  }

  private void clearUp() {
    world.tell(() -> "no more faults, no more new requests");
    goesOn = false;
    cleared = true;
    weather.clearUp();
    records.flushAll();
    processes.forEach(SimProcess::resume);
  }

  /** After the rest, whoever asks for what a key names is served on any node. */
  private void everyKeyIsUsable() {
    goesOn = true;
    List<SimClient> probes = new ArrayList<>();
    for (int i = 1; i <= plan.keys(); i++) {
      String key = "key" + i;
      SimClient ten = new SimClient(this, "probe", key, "pay 10");
      SimClient twenty = new SimClient(this, "probe", key, "pay 20");
      SimRecords.Row row = records.find(ten.operation.key()).orElse(null);
      boolean isTwenty = row != null && row.fingerprint.equals(twenty.operation.fingerprint());
      boolean left =
          row != null
              && row.phase == Phase.IN_PROGRESS
              && plan.terms().onLostOwner() == LostOwner.REPORT;
      if (!left) {
        probes.add(isTwenty ? twenty : ten);
      }
    }
    probes.forEach(probe -> probe.sendIn(1));
    world.passMillis(600_000);
    for (SimClient probe : probes) {
      world.require(probe.isSatisfied(), () -> probe.name + " cannot be served after all is well");
    }
    goesOn = false;
    world.passMillis(REST_MILLIS);
    judge.atRest(processes);
  }
}
