package dev.latchkey.idempotency.impl.flow;

import dev.latchkey.idempotency.LostOwner;
import dev.latchkey.idempotency.impl.flow.SimRecords.Life;
import dev.latchkey.idempotency.spi.Fingerprint;
import dev.latchkey.idempotency.spi.Phase;
import dev.latchkey.idempotency.spi.StoredResponse;
import dev.latchkey.idempotency.spi.Token;
import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Knows what everybody did and was told, and whether that was allowed. */
final class SimJudge {

  /** An answer of the store may be under way while its key expires. */
  private static final long IN_FLIGHT_NANOS = 10_000 * SimWorld.MILLI;

  private final SimWorld world;
  private final SimRecords records;
  private final SimPlan plan;
  private final Set<Token> ran = new HashSet<>();
  private final Map<String, Token> runs = new HashMap<>();
  private final Map<Life, Buffer> steps = new HashMap<>();
  private final Map<String, String> charges = new HashMap<>();
  private final Map<Life, String> chargedFor = new HashMap<>();
  boolean draining;

  SimJudge(SimWorld world, SimRecords records, SimPlan plan) {
    this.world = world;
    this.records = records;
    this.plan = plan;
  }

  /** A handler begins; returns the text of its answer, of no other run. */
  String begins(SimCall call, Attempt attempt, Buffer body) {
    Token token = attempt.claim().token();
    Life life = records.lifeOf(token);
    world.require(ran.add(token), () -> call + " runs under a claim that was run already");
    world.require(
        life.fingerprint.equals(call.operation().fingerprint()),
        () -> call + " runs another request than the key names");
    world.require(body.toString().equals(call.client.body), () -> call + " runs the body " + body);
    Buffer step = steps.get(life);
    records
        .find(life.key)
        .filter(row -> row.token.equals(token))
        .ifPresent(
            row -> {
              world.require(
                  plan.terms().onLostOwner() != LostOwner.REPORT || !row.takenOver,
                  () -> call + " runs what should be left to a person");
              world.require(
                  plan.forgets() || step == null || attempt.steps().containsKey("charge"),
                  () -> call + " does not see the step of an earlier attempt");
            });
    String text = call.client.key + " " + call.client.body + " run " + ran.size();
    runs.put(text, token);
    return text;
  }

  /** The PSP charges once per derived key; returns whether it said yes. */
  boolean charge(SimCall call, Token token, boolean yes) {
    Life life = records.lifeOf(token);
    String derived = call.client.key + "/" + call.operation().fingerprint();
    String before = chargedFor.putIfAbsent(life, derived);
    world.require(
        before == null || before.equals(derived), () -> call + " makes a second charge for a key");
    return charges.computeIfAbsent(derived, it -> yes ? "yes" : "no").equals("yes");
  }

  void stepRecorded(Token token, Buffer result) {
    steps.putIfAbsent(records.lifeOf(token), result);
  }

  /** Somebody reads a final answer. */
  void success(SimCall call, String text, boolean replayed) {
    for (Life life : records.lives) {
      if (life.committed.equals(text)) {
        Fingerprint asked = call.operation().fingerprint();
        world.require(
            life.fingerprint.equals(asked), () -> call + " reads another request's answer " + text);
        world.require(
            !replayed || life.endedNanos >= call.arrivedNanos - IN_FLIGHT_NANOS,
            () -> call + " reads the answer of an expired key: " + text);
        return;
      }
    }
    world.require(false, () -> call + " reads an answer that is not stored: " + text);
  }

  /** Somebody reads an answer that is not kept. */
  void failure(SimCall call, StoredResponse response) {
    String text = response.body().toString();
    Token token = runs.get(text);
    world.require(response.status() >= 500, () -> call + " reads an answer as not kept: " + text);
    world.require(token != null, () -> call + " reads what nobody answered: " + text);
    Life life = records.lifeOf(token);
    world.require(
        life.fingerprint.equals(call.operation().fingerprint()),
        () -> call + " reads another request's failure " + text);
    // A loser ends under another claim than it ran under.
    boolean free = !life.released.isEmpty() || plan.forgets();
    boolean gone = life.endedNanos <= world.nowNanos() || records.find(life.key).isEmpty();
    world.require(free || gone, () -> call + " is told of a failure before its release: " + text);
  }

  void verdict(SimCall call, Verdict verdict) {
    if (verdict instanceof Verdict.Replay replay) {
      success(call, replay.response().body().toString(), true);
      return;
    }
    if (verdict instanceof Verdict.SameAnswer same) {
      failure(call, same.response());
    } else if (verdict instanceof Verdict.Reused) {
      boolean known =
          records.lives.stream()
              .anyMatch(
                  life ->
                      life.key.equals(call.operation().key())
                          && !life.fingerprint.equals(call.operation().fingerprint())
                          && (life.endedNanos >= call.arrivedNanos || plan.forgets()));
      // A node that was paused past the retention may hold an entry from before.
      boolean stale = call.process.pausedNanos > 0;
      world.require(known || stale, () -> call + " is refused though the key names its request");
    } else if (verdict instanceof Verdict.InProgress) {
      world.require(
          world.nowNanos() - call.arrivedNanos >= call.waitMillis() * SimWorld.MILLI,
          () -> call + " is sent away before its wait is over");
    } else if (verdict instanceof Verdict.ShuttingDown) {
      world.require(draining, () -> call + " is told of a shutdown that there is not");
    } else if (verdict instanceof Verdict.LeftToAPerson) {
      world.require(
          plan.terms().onLostOwner() == LostOwner.REPORT, () -> call + " is told to see a person");
    } else {
      boolean room =
          !(verdict instanceof Verdict.Overloaded || verdict instanceof Verdict.TooManyWaiting);
      world.require(room, () -> call + " is told there is no room");
    }
    world.require(!plan.calm(), () -> call + " is told " + verdict + " on a calm day");
  }

  /** Slow copies of one claim may overtake each other, and the last be granted unheard. */
  private boolean mayOvertake() {
    return plan.slowCall() > 0 || plan.storeEvents() > 0;
  }

  /** All faults are over since long: nothing may be left. */
  void atRest(Iterable<SimProcess> processes) {
    for (SimProcess process : processes) {
      if (process.isDead()) {
        continue;
      }
      for (SimCall call : process.calls) {
        world.require(call.isDone(), () -> call + " was never answered");
      }
      ControlFlow flow = process.flow;
      world.require(flow.running() == 0, () -> process.name + " still runs " + flow.running());
      world.require(flow.parked() == 0, () -> process.name + " still parks " + flow.parked());
      world.require(
          flow.node.table.isEmpty(), () -> process.name + " still has entries in its table");
      world.require(flow.node.attempts.isEmpty(), () -> process.name + " still has attempts");
      records
          .rows()
          .forEach(
              (key, row) ->
                  world.require(
                      row.phase != Phase.IN_PROGRESS
                          || mayOvertake()
                          || !process.answersFor(row.token),
                      () -> process.name + " left a ghost claim on " + key.key()));
    }
  }

  /** On a calm day every request costs what the store's documentation says. */
  void budget(Map<String, Integer> counts) {
    Map<String, Integer> completions = new HashMap<>();
    counts.forEach(
        (what, count) -> {
          world.require(count == 1, () -> what + " was called " + count + " times");
          String[] words = what.split(" ");
          if (words[2].equals("complete")) {
            completions.merge(words[0], 1, Integer::sum);
          }
          boolean known =
              Set.of("claim", "complete", "watch", "lookup", "recordStep").contains(words[2]);
          world.require(known, () -> what + " was called on a calm day");
        });
    completions.forEach(
        (key, count) -> world.require(count == 1, () -> key + " was completed " + count + "times"));
  }
}
