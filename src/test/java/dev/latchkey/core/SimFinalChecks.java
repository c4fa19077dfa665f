package dev.latchkey.core;

import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.Token;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The checks at the end of a history, long after all faults, and the cost without faults. */
final class SimFinalChecks {

  private static final long LONG_PAUSE_NANOS = 20_000 * SimWorld.MILLI;
  private static final Set<String> CALLS_OF_A_CALM_DAY =
      Set.of("claim", "complete", "watch", "lookup");

  private final SimWorld world;
  private final SimPlan plan;
  private final SimStore records;
  private final SimStoreFaults weather;

  SimFinalChecks(SimWorld world, SimPlan plan, SimStore records, SimStoreFaults weather) {
    this.world = world;
    this.plan = plan;
    this.records = records;
    this.weather = weather;
  }

  void check(List<SimProcess> processes) {
    for (SimProcess process : processes) {
      process.calls.forEach(this::endedWhatItBegan);
      if (!process.isDead()) {
        nothingIsLeft(process);
      }
    }
    records
        .rows
        .all()
        .forEach(
            (key, row) ->
                world.require(
                    row.phase == Phase.IN_PROGRESS || !records.rows.isWatched(key),
                    () -> "the store still keeps who watches " + key.key()));
  }

  private void nothingIsLeft(SimProcess process) {
    for (SimCall call : process.calls) {
      world.require(call.isDone(), () -> call + " was never answered");
    }
    IdempotencyEngine engine = process.engine;
    world.require(engine.running() == 0, () -> process.name + " still runs " + engine.running());
    world.require(engine.parked() == 0, () -> process.name + " still parks " + engine.parked());
    world.require(engine.node.table.isEmpty(), () -> process.name + " still has entries");
    world.require(engine.node.attempts.isEmpty(), () -> process.name + " still has attempts");
    world.require(engine.node.waiting.get() == 0, () -> process.name + " still counts waiters");
    long pending = world.pending(process);
    world.require(pending == 0, () -> process.name + " still has " + pending + " timers");
    records
        .rows
        .all()
        .forEach(
            (key, row) ->
                world.require(
                    row.phase != Phase.IN_PROGRESS || !process.answersFor(row.token),
                    () -> process.name + " left a ghost claim on " + key.key()));
  }

  /** A response to store is stored, unless its node died or its claim was lost. */
  private void endedWhatItBegan(SimCall call) {
    boolean excused =
        !call.process.survived()
            || call.process.pausedNanos + call.process.jumpedNanos >= LONG_PAUSE_NANOS;
    if (excused) {
      return;
    }
    call.endedUnder()
        .ifPresent(
            token -> {
              SimKeyLife life = records.lives.of(token);
              world.require(
                  !life.committed.isEmpty()
                      || life.isOver(world.nowNanos())
                      || records.rows.find(life.key).isEmpty()
                      || !life.lastGranted.equals(token)
                      || plan.forgets() && !holds(life, token),
                  () -> call + " had an answer, and its key has none");
            });
  }

  private boolean holds(SimKeyLife life, Token token) {
    return records.rows.find(life.key).filter(row -> row.isHeldBy(token)).isPresent();
  }

  /** Without faults, every request costs what the SPI specifies. */
  void budget() {
    Map<String, Integer> completions = new HashMap<>();
    weather.counts.forEach(
        (name, count) -> {
          String[] words = name.split(" ");
          String what = words[1];
          if (what.equals("notice") || what.equals("copy")) {
            return;
          }
          world.require(count == 1, () -> name + " was called " + count + " times");
          world.require(
              CALLS_OF_A_CALM_DAY.contains(what), () -> name + " was called on a calm day");
          if (what.equals("complete")) {
            completions.merge(words[2], 1, Integer::sum);
          }
        });
    completions.forEach(
        (key, count) -> world.require(count == 1, () -> key + " was completed " + count + "times"));
  }
}
