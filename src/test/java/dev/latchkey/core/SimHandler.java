package dev.latchkey.core;

import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.StepResult;
import dev.latchkey.core.spi.StoredResponse;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The business handler: charges at the PSP under a derived key, may record that as a step, and
 * makes a response, with or without an effect. It may be slow, hang, or fail before or after the
 * charge.
 */
final class SimHandler {

  private static final String STEP = "charge";
  private static final int MAX_CHARGES = 3;
  private static final int MAX_REFUSALS = 3;

  private enum Mood {
    WELL,
    SLOW,
    HANGS,
    FAILS_AT_ONCE,
    FAILS_AFTER_THE_CHARGE
  }

  private final SimCall call;
  private final SimHistory history;
  private final SimWorld world;
  private final SplittableRandom dice;
  private final String name;
  private final String text;
  private final Mood mood;
  private final long restMillis;
  private Attempt attempt;
  private long seenVersion;
  private int charges;
  private int refusals;
  private boolean applies = true;

  SimHandler(SimCall call, Attempt attempt, Buffer body) {
    this.call = call;
    this.attempt = attempt;
    history = call.client.history;
    world = history.world;
    text = history.judge.begins(call, attempt, body);
    name = call + "'s run";
    dice = world.dice(name + " how");
    boolean bad = history.isFoul() && world.fault(name + " is bad", history.plan.badHandler());
    mood = bad ? Mood.values()[1 + dice.nextInt(4)] : Mood.WELL;
    long millis =
        switch (mood) {
          case SLOW -> dice.nextLong(5_000, 29_000);
          case HANGS -> dice.nextLong(30_000, 90_000);
          default -> dice.nextLong(2, 2_000);
        };
    restMillis = Math.max(1, millis / 2);
    world.tell(() -> call + " runs: " + text + " (" + mood + ", " + millis + " ms)");
    later(restMillis, this::work);
  }

  private void later(long millis, Runnable task) {
    call.loop().after(millis, task);
  }

  /** The finished work continues under another claim. */
  void adopt(Attempt held) {
    attempt = held;
  }

  Attempt attempt() {
    return attempt;
  }

  private void work() {
    if (mood == Mood.FAILS_AT_ONCE) {
      end(503, text);
      return;
    }
    seenVersion = history.ledgerVersion();
    Buffer recorded = attempt.steps().get(STEP);
    if (recorded == null) {
      charge();
    } else {
      later(restMillis, () -> charged(recorded.toString().equals("yes")));
    }
  }

  private void charge() {
    charges++;
    SimPsp.Answer answer =
        history.psp.charge(name + " charge " + charges, call.operation(), attempt.number());
    world.tell(() -> call + " asks the PSP: " + answer);
    switch (answer) {
      case BUSY -> later(10, () -> end(503, text));
      case SILENCE -> later(1_000, charges < MAX_CHARGES ? this::charge : () -> end(503, text));
      case YES, NO -> afterCharge(answer == SimPsp.Answer.YES);
    }
  }

  private void afterCharge(boolean yes) {
    if (mood == Mood.FAILS_AFTER_THE_CHARGE) {
      later(restMillis, () -> end(503, text));
    } else if (!history.plan.calm() && dice.nextInt(3) == 0) {
      record(yes);
    } else {
      later(restMillis, () -> charged(yes));
    }
  }

  private void record(boolean yes) {
    Buffer result = Buffer.buffer(yes ? "yes" : "no");
    Attempt under = attempt;
    call.needsTheStore();
    under
        .recordStep(STEP, result)
        .onComplete(
            became -> call.loop().run(() -> recorded(under, result, became)),
            failure -> call.loop().run(() -> notRecorded(failure)));
  }

  private void recorded(Attempt under, Buffer result, StepResult became) {
    if (became == StepResult.RECORDED) {
      call.runsOn();
      history.judge.stepRecorded(under.claim().token(), result);
      later(restMillis, () -> charged(result.toString().equals("yes")));
    } else {
      end(500, text);
    }
  }

  private void notRecorded(Throwable failure) {
    world.tell(() -> call + " cannot record its step: " + failure.getMessage());
    finish(500, text, List.of());
  }

  private void charged(boolean yes) {
    boolean writes = yes && world.fault(name + " writes", history.plan.effects());
    applies = !(writes && history.isFoul() && world.fault(name + " writes nonsense", 0.1));
    answer(yes ? 201 : 402, text, writes);
  }

  private void answer(int status, String what, boolean writes) {
    List<Effect> effects = writes ? List.of(new SimEffect(seenVersion, applies)) : List.of();
    call.needsTheStore();
    finish(status, what, effects);
  }

  private void end(int status, String what) {
    call.needsTheStore();
    finish(status, what, List.of());
  }

  private void finish(int status, String what, List<Effect> effects) {
    String with = effects.isEmpty() ? "" : " with " + effects;
    world.tell(() -> call + "'s handler answers " + status + with);
    StoredResponse response = StoredResponse.of(status, List.of(), Buffer.buffer(what));
    history.judge.answers(call, what, attempt, !effects.isEmpty());
    call.mine(response);
    if (status < 500) {
      attempt.complete(response, effects);
    } else {
      attempt.release(response);
    }
  }

  /** An effect does not apply: renders the ledger's current state, or gives up. */
  void refused() {
    refusals++;
    String anew = text + " anew " + refusals;
    boolean givesUp = !applies || refusals > MAX_REFUSALS;
    if (givesUp && dice.nextBoolean()) {
      end(503, anew);
    } else {
      seenVersion = history.ledgerVersion();
      answer(givesUp ? 409 : 201, anew, !givesUp);
    }
  }
}
