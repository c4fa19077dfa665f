package dev.latchkey.core;

import dev.latchkey.core.spi.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** One history: made from a script, run to its end, checked at every step. */
final class SimHistory {

  private static final long REST_MILLIS = 240_000;

  final SimWorld world;
  final SimPlan plan;
  final SimChecker judge;
  final SimStore records;
  final SimStoreFaults weather;
  final SimPsp psp;
  private final SimFinalChecks rest;
  private final List<SimProcess> processes = new ArrayList<>();

  /** The current process of each node; none for a node that the script omits. */
  private final SimProcess[] nodes;

  private boolean goesOn = true;
  private boolean cleared;

  SimHistory(SimScript script, boolean telling) {
    world = new SimWorld(script, telling);
    SimPlan drawn = SimPlan.draw(world.dice("plan"));
    boolean varies = !drawn.calm() && world.fault("terms vary", 0.4);
    plan = varies ? drawn.with(SimPlan.varied(drawn.terms(), world.dice("terms"))) : drawn;
    SimStoreRows rows = new SimStoreRows(world);
    SimKeyLives lives = new SimKeyLives(world);
    SimPromptness promptness = new SimPromptness(world, plan, processes, rows, lives);
    records = new SimStore(world, rows, lives, promptness);
    weather = new SimStoreFaults(world, plan);
    judge = new SimChecker(world, records, plan);
    rest = new SimFinalChecks(world, plan, records, weather);
    psp = new SimPsp(world, this);
    nodes = new SimProcess[plan.nodes()];
    world.tell(plan::toString);
    for (int i = 0; i < nodes.length; i++) {
      String name = Character.toString('A' + i);
      if (i == 0 || world.part("node " + name)) {
        nodes[i] = start(name);
      }
    }
  }

  private SimProcess start(String name) {
    SimProcess process = new SimProcess(world, records, weather, processes.size(), name);
    process.trouble(weather.stalledNanos());
    processes.add(process);
    return process;
  }

  /** Restarts the node of a dead process. */
  void startAgain(SimProcess dead) {
    for (int i = 0; i < nodes.length; i++) {
      if (nodes[i] == dead) {
        nodes[i] = start(dead.name.charAt(0) + "-" + processes.size());
        world.tell(() -> processes.get(processes.size() - 1).name + " starts");
      }
    }
  }

  List<String> story() {
    return world.story;
  }

  /** Whether clients still try. */
  boolean goesOn() {
    return goesOn;
  }

  /** Whether clients and handlers may still misbehave. */
  boolean isFoul() {
    return !cleared && !plan.calm();
  }

  int ledgerVersion() {
    return records.lives.ledger.size();
  }

  SimProcess anyProcess(SplittableRandom dice) {
    SimProcess process = nodes[dice.nextInt(nodes.length)];
    return process == null ? nodes[0] : process;
  }

  void living(Consumer<SimProcess> action) {
    processes.stream().filter(it -> !it.isDead()).forEach(action);
  }

  /** Runs the history; fails with {@link SimViolation}. */
  void run() {
    for (int i = 1; i <= plan.clients(); i++) {
      String name = "client " + i;
      SplittableRandom dice = world.dice(name + " when");
      String key = "key" + dice.nextLong(1, plan.keys() + 1);
      long spread = dice.nextBoolean() ? 3_000 : plan.faultsMillis() / 2;
      if (world.part(name)) {
        boolean other = world.fault(name + " wants something else", plan.wrongBody());
        String body = other ? "pay 20" : "pay 10";
        new SimClient(this, name, key, body).sendIn(dice.nextLong(1, spread));
      }
    }
    new SimFaults(this).schedule();
    world.passMillis(plan.faultsMillis());
    clearUp();
    world.passMillis(REST_MILLIS);
    rest.check(processes);
    judge.ledgerAgrees();
    if (plan.calm()) {
      rest.budget();
    }
    everyKeyIsUsable();
  }

  private void clearUp() {
    world.tell(() -> "no more faults, no more new requests");
    goesOn = false;
    cleared = true;
    weather.clearUp();
    records.rows.flushAll();
    processes.forEach(SimProcess::resume);
  }

  /** In the end, every node serves the request of every key. */
  private void everyKeyIsUsable() {
    goesOn = true;
    List<SimClient> probes = new ArrayList<>();
    for (int i = 1; i <= plan.keys(); i++) {
      SimClient ten = new SimClient(this, "probe ten " + i, "key" + i, "pay 10");
      SimClient twenty = new SimClient(this, "probe twenty " + i, "key" + i, "pay 20");
      SimStoreRow row = records.rows.find(ten.operation.key()).orElse(null);
      boolean isTwenty = row != null && row.fingerprint.equals(twenty.operation.fingerprint());
      boolean left = row != null && row.phase == Phase.IN_PROGRESS && plan.reports();
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
    rest.check(processes);
  }
}
