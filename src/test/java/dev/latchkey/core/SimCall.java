package dev.latchkey.core;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.Token;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/** One request of a client to one process, and its handler. */
final class SimCall implements Caller {

  /** A request gets a response within this time of needing the store. */
  private static final long NEED_MILLIS = 10_000;

  final SimClient client;
  final SimProcess process;
  long arrivedNanos;
  private final SimWorld world;
  private final SimChecker judge;
  private final SimProcess.SimEventLoop loop;
  private final String name;
  private final long waitMillis;
  private Place place;
  private long parkedNanos;
  private SimHandler handler;
  private StoredResponse mine;
  private boolean hungUp;
  private boolean left;
  private int answers;
  private boolean resultDiscarded;
  private boolean toldOtherwise;
  private long pausedBeforeNanos;
  private long patientUntilNanos;

  SimCall(SimClient client, SimProcess process, String name, long waitMillis) {
    this.client = client;
    this.process = process;
    this.waitMillis = waitMillis;
    this.name = name;
    judge = client.history.judge;
    world = client.history.world;
    loop = process.loops.get(world.dice(name).nextInt(process.loops.size()));
    process.calls.add(this);
  }

  void send() {
    loop.later(
        () -> {
          arrivedNanos = world.nowNanos();
          mustBeAnsweredIn(waitMillis + NEED_MILLIS);
          world.tell(() -> this + " arrives on " + process.name + ", waits " + waitMillis + " ms");
          process.engine.arrive(loop.lot, this);
        });
  }

  private void mustBeAnsweredIn(long millis) {
    mustNotBeLate("has no response");
    patientUntilNanos = world.nowNanos() + millis * SimWorld.MILLI;
    pausedBeforeNanos = process.pausedNanos;
  }

  /** The execution waits for the store from now on. */
  void needsTheStore() {
    mustBeAnsweredIn(NEED_MILLIS);
  }

  /** The execution continues without the store. */
  void runsOn() {
    mustBeAnsweredIn(client.history.plan.terms().runLimitMillis() + NEED_MILLIS);
  }

  SimProcess.SimEventLoop loop() {
    return loop;
  }

  boolean isDone() {
    return left || answers > 0 || process.isDead();
  }

  /** Whether it has waited for another request since before then. */
  boolean isParkedSince(long nanos) {
    return place != null && parkedNanos < nanos;
  }

  boolean ran() {
    return handler != null;
  }

  boolean gotAnotherResponse() {
    return toldOtherwise;
  }

  /** The claim under which it runs, if it does. */
  Optional<Token> claim() {
    return Optional.ofNullable(handler).map(it -> it.attempt().claim().token());
  }

  /** The claim under which it ended with a response to store. */
  Optional<Token> endedUnder() {
    return mine != null && mine.status() < 500
        ? Optional.of(handler.attempt().claim().token())
        : Optional.empty();
  }

  /** The handler has a response. */
  void mine(StoredResponse response) {
    mine = response;
  }

  /** The client hangs up. */
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
    parkedNanos = world.nowNanos();
    if (handler != null) {
      mustBeAnsweredIn(waitMillis + NEED_MILLIS);
    }
    if (hungUp) {
      loop.later(this::leave);
    }
  }

  @Override
  public void run(Attempt held, Buffer body) {
    world.require(answers == 0, () -> this + " runs though it was answered");
    world.require(handler == null, () -> this + " runs a second time");
    place = null;
    runsOn();
    handler = new SimHandler(this, held, body);
  }

  @Override
  public void adopt(Attempt held) {
    place = null;
    handler.adopt(held);
    needsTheStore();
  }

  @Override
  public void effectRefused(EffectRefused refused) {
    world.tell(() -> this + " is refused its effect: " + refused.detail());
    handler.refused();
  }

  private void answered(String what) {
    world.tell(() -> this + " " + what + (hungUp ? ", but has hung up" : ""));
    place = null;
    answers++;
    world.require(answers == 1, () -> this + " is answered twice");
    mustNotBeLate("is answered");
  }

  private void mustNotBeLate(String what) {
    long paused = process.pausedNanos - pausedBeforeNanos;
    long late = world.nowNanos() - patientUntilNanos - paused;
    boolean awaited = patientUntilNanos > 0 && !toldOtherwise;
    world.require(
        late <= 0 || !awaited, () -> this + " " + what + " " + late / SimWorld.MILLI + " ms late");
  }

  @Override
  public void respond(CallerResponse verdict) {
    answered("is told " + verdict);
    toldOtherwise = true;
    judge.verdict(this, verdict);
    if (verdict instanceof CallerResponse.KeyReused && mine != null) {
      world.require(
          resultDiscarded || handler.attempt().mayHaveExpiredCompleted(process.nowNanos()),
          () -> this + " ran, another request has its key, and nobody is told of its run");
    }
    if (world.has(SimMutant.IMPATIENT_WAITER_RELEASES)
        && verdict instanceof CallerResponse.InProgress) {
      releaseWhatIsWaitedFor();
    }
    boolean over =
        verdict instanceof CallerResponse.Replay || verdict instanceof CallerResponse.KeyReused;
    report(over);
  }

  private void releaseWhatIsWaitedFor() {
    Operation asked = operation();
    process
        .link
        .lookup(asked.key())
        .onSuccess(
            state -> {
              if (state instanceof KeyState.InProgress owner) {
                process.link.release(
                    new Claim(
                        asked.key(),
                        asked.fingerprint(),
                        owner.token(),
                        asked.policy().leaseMillis()));
              }
            });
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
  public void resultDiscarded() {
    world.tell(() -> this + " ran in vain");
    world.require(ran(), () -> this + " is told that it ran in vain, and did not run");
    resultDiscarded = true;
    judge.resultDiscarded(this, mine.body().toString());
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
