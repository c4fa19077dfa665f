package dev.latchkey.idempotency.impl.flow;

import dev.latchkey.idempotency.NodeOptions;
import dev.latchkey.idempotency.spi.CompleteResult.EffectRefused;
import dev.latchkey.idempotency.spi.Expiry;
import dev.latchkey.idempotency.spi.StepResult;
import dev.latchkey.idempotency.spi.StoredResponse;
import dev.latchkey.idempotency.spi.Token;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/** One request of a client on one process, and the handler that may run for it. */
final class SimCall implements Caller {

  private static final long STORE_TIMEOUT_MILLIS = NodeOptions.DEFAULT_STORE_TIMEOUT_MILLIS;

  final SimClient client;
  final SimProcess process;
  long arrivedNanos;
  private final SimWorld world;
  private final SimJudge judge;
  private final SimPlan plan;
  private final SimProcess.EventLoop loop;
  private final String name;
  private final long waitMillis;
  private Place place;
  private Attempt attempt;
  private StoredResponse mine;
  private boolean hungUp;
  private boolean left;
  private int answers;
  private long pausedBeforeNanos;
  private long patientUntilNanos;

  SimCall(SimClient client, SimProcess process, SimJudge judge, SimPlan plan, long waitMillis) {
    this.client = client;
    this.process = process;
    this.judge = judge;
    this.plan = plan;
    this.waitMillis = waitMillis;
    world = client.world;
    name = client.name + " try " + client.tries + " on " + process.name;
    loop = process.loops.get((int) world.between(0, process.loops.size()));
    process.calls.add(this);
  }

  void send() {
    loop.later(
        () -> {
          arrivedNanos = world.nowNanos();
          pausedBeforeNanos = process.pausedNanos;
          patience(waitMillis + 2 * STORE_TIMEOUT_MILLIS + 2_000);
          world.tell(() -> this + " arrives, waits " + waitMillis + " ms");
          process.flow.arrive(loop.lot, this);
        });
  }

  private void patience(long millis) {
    patientUntilNanos = world.nowNanos() + millis * SimWorld.MILLI;
    pausedBeforeNanos = process.pausedNanos;
  }

  boolean isDone() {
    return left || answers > 0 || process.isDead();
  }

  /** The client goes away. */
  void hangUp() {
    if (answers > 0 || hungUp || process.isDead()) {
      return;
    }
    world.tell(() -> this + " hangs up");
    hungUp = true;
    loop.later(this::leave);
    client.failed();
  }

  private void leave() {
    Place at = place;
    if (at != null && answers == 0) {
      place = null;
      left = true;
      at.leave();
    }
  }

  /** The process died. */
  void connectionLost() {
    if (answers == 0 && !hungUp) {
      client.failed();
    }
  }

  @Override
  public Operation operation() {
    return client.operation;
  }

  @Override
  public long waitMillis() {
    return waitMillis;
  }

  @Override
  public Buffer body() {
    return Buffer.buffer(client.body);
  }

  @Override
  public void parked(Place at, boolean bodyIsKept) {
    world.tell(() -> this + " is parked");
    place = at;
    if (hungUp) {
      loop.later(this::leave);
    }
  }

  @Override
  public void run(Attempt held, Buffer body) {
    world.require(answers == 0, () -> this + " runs though it was answered");
    place = null;
    attempt = held;
    String text = judge.begins(this, held, body);
    world.tell(() -> this + " runs: " + text);
    boolean bad = client.history.isFoul() && world.chance(plan.badHandler());
    long millis = world.between(1, 2_000);
    int status = 201;
    if (bad) {
      int kind = (int) world.between(0, 4);
      millis = kind == 0 ? world.between(5_000, 29_000) : millis;
      millis = kind == 1 ? world.between(30_000, 90_000) : millis;
      status = kind == 2 ? 503 : kind == 3 ? 402 : 201;
    }
    patience(
        Math.min(millis, plan.terms().runLimitMillis()) + 10 * STORE_TIMEOUT_MILLIS + waitMillis);
    int answer = status;
    long half = Math.max(1, millis / 2);
    loop.after(half, () -> work(text, answer, half, bad));
  }

  private void work(String text, int status, long restMillis, boolean bad) {
    Token token = attempt.claim().token();
    if (!plan.forgets() && status != 503) {
      boolean lost = bad && world.chance(0.3);
      boolean charged = judge.charge(this, token, status == 201);
      if (lost) {
        loop.after(restMillis, () -> end(text, 503));
        return;
      }
      if (bad && world.chance(0.5)) {
        Buffer result = Buffer.buffer(text);
        Attempt under = attempt;
        under
            .record("charge", result)
            .onComplete(
                became -> {
                  if (became == StepResult.RECORDED) {
                    judge.stepRecorded(token, result);
                  }
                  int known = charged ? 201 : 402;
                  loop.run(() -> end(text, became == StepResult.RECORDED ? known : 500));
                },
                failure -> loop.run(() -> end(text, 500)));
        return;
      }
      loop.after(restMillis, () -> end(text, charged ? 201 : 402));
      return;
    }
    loop.after(restMillis, () -> end(text, status));
  }

  private void end(String text, int status) {
    world.tell(() -> this + "'s handler answers " + status);
    mine = StoredResponse.of(status, List.of(), Buffer.buffer(text));
    if (status < 500) {
      attempt.complete(mine, List.of());
    } else {
      attempt.release(mine);
    }
  }

  @Override
  public void adopt(Attempt held) {
    attempt = held;
  }

  private void answered(String what) {
    world.tell(() -> this + " " + what + (hungUp ? ", but has hung up" : ""));
    place = null;
    answers++;
    world.require(answers == 1, () -> this + " is answered twice");
    long paused = process.pausedNanos - pausedBeforeNanos;
    long late = world.nowNanos() - patientUntilNanos - paused;
    world.require(late <= 0, () -> this + " is answered " + late / SimWorld.MILLI + " ms late");
  }

  @Override
  public void answer(Verdict verdict) {
    answered("is told " + verdict);
    judge.verdict(this, verdict);
    boolean over = verdict instanceof Verdict.Replay || verdict instanceof Verdict.Reused;
    report(over);
  }

  @Override
  public void completed(Expiry expiry) {
    answered("gets its own answer");
    judge.success(this, mine.body().toString(), false);
    report(true);
  }

  @Override
  public void released() {
    answered("gets its own answer, which is not kept");
    judge.failure(this, mine);
    report(false);
  }

  private void report(boolean over) {
    if (hungUp) {
      return;
    }
    if (over) {
      client.satisfied();
    } else {
      client.failed();
    }
  }

  @Override
  public void refused(EffectRefused refused) {
    world.require(false, () -> this + " is refused an effect");
  }

  @Override
  public void rolledBack() {
    world.require(false, () -> this + " is rolled back, and had no transaction");
  }

  @Override
  public String toString() {
    return name;
  }
}
