package dev.latchkey.core;

import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.Token;
import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Records all executions and responses and checks that they are allowed. */
final class SimChecker {

  /** A reply of the store may be in transit while its key expires. */
  private static final long IN_FLIGHT_NANOS = 10_000 * SimWorld.MILLI;

  private final SimWorld world;
  private final SimStore records;
  private final SimPlan plan;
  private final Set<Token> ran = new HashSet<>();
  private final Map<String, Token> answered = new HashMap<>();
  private final Map<Token, SimCall> owners = new HashMap<>();
  private final Set<String> withEffect = new HashSet<>();
  private final Map<SimKeyLife, Buffer> steps = new HashMap<>();
  private final Set<SimProcess> draining = new HashSet<>();

  SimChecker(SimWorld world, SimStore records, SimPlan plan) {
    this.world = world;
    this.records = records;
    this.plan = plan;
  }

  void drains(SimProcess process) {
    draining.add(process);
  }

  /** A handler begins. Returns the text of its response, unique to the execution. */
  String begins(SimCall call, Attempt attempt, Buffer body) {
    Token token = attempt.claim().token();
    SimKeyLife life = records.lives.of(token);
    world.require(ran.add(token), () -> call + " runs under a claim that was run already");
    world.require(
        life.fingerprint.equals(call.operation().fingerprint()),
        () -> call + " runs another request than the key names");
    world.require(body.toString().equals(call.client.body), () -> call + " runs the body " + body);
    Buffer step = steps.get(life);
    records
        .rows
        .find(life.key)
        .filter(row -> row.token.equals(token))
        .ifPresent(
            row -> {
              world.require(
                  !plan.reports() || !row.takenOver,
                  () -> call + " runs what should be left to a person");
              world.require(
                  plan.forgets() || step == null || step.equals(attempt.steps().get("charge")),
                  () -> call + " does not see the step of an earlier attempt");
            });
    return call.client.key + " " + call.client.body + " run " + ran.size();
  }

  void stepRecorded(Token token, Buffer result) {
    steps.putIfAbsent(records.lives.of(token), result);
  }

  /** A handler made a response, possibly another one. */
  void answers(SimCall call, String text, Attempt attempt, boolean hasEffect) {
    owners.put(attempt.claim().token(), call);
    answered.put(text, attempt.claim().token());
    if (hasEffect) {
      withEffect.add(text);
    }
  }

  /** A client reads a final response. */
  void success(SimCall call, String text, boolean replayed) {
    for (SimKeyLife life : records.lives.all()) {
      if (life.committed.equals(text)) {
        world.require(
            life.fingerprint.equals(call.operation().fingerprint()),
            () -> call + " reads another request's answer " + text);
        world.require(
            !replayed
                || life.endedNanos
                    >= call.arrivedNanos - IN_FLIGHT_NANOS - call.process.pausedNanos,
            () -> call + " reads the answer of an expired key: " + text);
        return;
      }
    }
    world.require(false, () -> call + " reads an answer that is not stored: " + text);
  }

  /** A client reads a response that is not stored. */
  void failure(SimCall call, StoredResponse response) {
    String text = response.body().toString();
    Token token = answered.get(text);
    world.require(response.status() >= 500, () -> call + " reads an answer as not kept: " + text);
    world.require(token != null, () -> call + " reads what nobody answered: " + text);
    SimKeyLife life = records.lives.of(token);
    world.require(
        life.fingerprint.equals(call.operation().fingerprint()),
        () -> call + " reads another request's failure " + text);
    // A superseded owner ends under another claim than it began with.
    boolean free = !life.releasedNanos.isEmpty() || plan.forgets();
    boolean gone = life.isOver(world.nowNanos()) || records.rows.find(life.key).isEmpty();
    world.require(free || gone, () -> call + " is told of a failure before its release: " + text);
  }

  /** The result of a client's execution is discarded for another request. */
  void resultDiscarded(SimCall call, String text) {
    world.require(isReused(call), () -> call + " ran in vain though the key names its request");
    world.require(
        records.lives.all().stream().noneMatch(life -> life.committed.equals(text)),
        () -> call + " ran in vain, and its answer is stored: " + text);
  }

  void verdict(SimCall call, CallerResponse verdict) {
    world.require(
        !plan.calm() || verdict instanceof CallerResponse.Replay, () -> call + " on a calm day");
    if (verdict instanceof CallerResponse.Replay replay) {
      success(call, replay.response().body().toString(), true);
    } else if (verdict instanceof CallerResponse.SharedResponse same) {
      failure(call, same.response());
    } else if (verdict instanceof CallerResponse.KeyReused) {
      world.require(isReused(call), () -> call + " is refused though the key names its request");
    } else if (verdict instanceof CallerResponse.InProgress) {
      world.require(
          world.nowNanos() - call.arrivedNanos >= call.waitMillis() * 990_000,
          () -> call + " is sent away before its wait is over");
    } else if (verdict instanceof CallerResponse.ShuttingDown) {
      world.require(
          draining.contains(call.process), () -> call + " is told of a shutdown that there is not");
    } else if (verdict instanceof CallerResponse.Unresolved) {
      world.require(plan.reports(), () -> call + " is told to see a person");
    } else if (verdict instanceof CallerResponse.StoreUnavailable) {
      world.require(
          !call.process.isWellSince(call.arrivedNanos),
          () -> call + " is told that the store is away, but it is not");
    } else if (verdict instanceof CallerResponse.RunLimitExceeded) {
      long limitNanos = call.process.shortestRunLimitNanos();
      world.require(
          call.claim().stream()
              .map(records.lives::firstGrantedNanos)
              .anyMatch(granted -> world.nowNanos() - granted >= limitNanos),
          () -> call + " is told of a limit before it");
    } else if (verdict instanceof CallerResponse.AttemptFailed) {
      world.require(hasFailed(call), () -> call + " is told of a failure, and nothing failed");
    } else {
      world.require(false, () -> call + " is told there is no room");
    }
  }

  /**
   * An attempt of the same request was released, or its key was lost or has expired. The response
   * of an attempt on the same node is shared instead.
   */
  private boolean hasFailed(SimCall call) {
    Operation asked = call.operation();
    // A node that was paused or cut off may learn of it much later.
    boolean well = call.process.isWellSince(call.arrivedNanos);
    long sinceNanos = well ? call.arrivedNanos - IN_FLIGHT_NANOS : 0;
    return plan.forgets()
        || records.lives.all().stream()
            .filter(life -> life.key.equals(asked.key()))
            .anyMatch(
                life ->
                    life.endedNanos >= sinceNanos && life.isOver(world.nowNanos())
                        || life.fingerprint.equals(asked.fingerprint())
                            && life.releasedNanos.entrySet().stream()
                                .anyMatch(
                                    released ->
                                        released.getValue() >= sinceNanos
                                            && !(well && isShared(released.getKey(), call))));
  }

  /** The owner of an attempt is on the same node and gets the attempt's response. */
  private boolean isShared(Token token, SimCall call) {
    SimCall owner = owners.get(token);
    return owner != null && owner.process == call.process && !owner.gotAnotherResponse();
  }

  /** A node that missed the end of a key relies on the lease that it knows. */
  private boolean isReused(SimCall call) {
    Operation asked = call.operation();
    boolean knows = call.process.isWellSince(call.arrivedNanos);
    long leaseNanos = plan.terms().leaseMillis() * SimWorld.MILLI;
    long atMostAgoNanos =
        knows ? 0 : Math.max(leaseNanos, IN_FLIGHT_NANOS) + call.process.pausedNanos;
    return records.lives.all().stream()
        .anyMatch(
            life ->
                life.key.equals(asked.key())
                    && !life.fingerprint.equals(asked.fingerprint())
                    && (life.endedNanos >= call.arrivedNanos - atMostAgoNanos || plan.forgets()));
  }

  /** The ledger holds exactly the effects of committed responses. */
  void ledgerAgrees() {
    Set<String> committed = new HashSet<>();
    records.lives.all().forEach(life -> committed.add(life.committed));
    committed.retainAll(withEffect);
    world.require(
        committed.equals(new HashSet<>(records.lives.ledger))
            && committed.size() == records.lives.ledger.size(),
        () -> "the ledger holds " + records.lives.ledger + ", committed were " + committed);
  }
}
