package dev.latchkey.idempotency.impl.flow;

import dev.latchkey.idempotency.spi.Fingerprint;
import dev.latchkey.idempotency.spi.Outline;
import dev.latchkey.idempotency.spi.ScopedKey;
import java.util.Arrays;

/** Somebody who wants one thing done, and sends it until it is, or until it gives up. */
final class SimClient {

  private static final int MAX_TRIES = 6;

  final SimWorld world;
  final String name;
  final String key;
  final String body;
  final Operation operation;
  int tries;
  final SimHistory history;
  private boolean over;

  SimClient(SimHistory history, String name, String key, String body) {
    this.history = history;
    this.world = history.world;
    this.name = name + " (" + key + ", " + body + ")";
    this.key = key;
    this.body = body;
    byte[] digest = new byte[Fingerprint.BYTES];
    Arrays.fill(digest, (byte) body.hashCode());
    operation =
        new Operation(
            new ScopedKey("tenant", "POST /pay", key),
            Fingerprint.of(digest),
            Outline.EMPTY,
            history.plan.terms());
  }

  void sendIn(long delayMillis) {
    world.after(SimWorld.NATURE, delayMillis * SimWorld.MILLI, this::send);
  }

  private void send() {
    SimPlan plan = history.plan;
    if (over || !history.goesOn()) {
      return;
    }
    SimProcess process = history.anyProcess();
    if (process == null) {
      sendIn(500);
      return;
    }
    tries++;
    boolean impatient = history.isFoul() && world.chance(plan.impatient());
    long waitMillis = impatient ? world.chance(0.5) ? 0 : world.between(1, 5_000) : 30_000;
    SimCall call = new SimCall(this, process, history.judge, plan, waitMillis);
    call.send();
    if (history.isFoul() && world.chance(plan.hangUp())) {
      long after = world.chance(0.5) ? world.between(0, 300) : world.between(0, 20_000);
      world.after(SimWorld.NATURE, after * SimWorld.MILLI, call::hangUp);
    }
  }

  void satisfied() {
    over = true;
  }

  boolean isSatisfied() {
    return over;
  }

  /** This try came to nothing. */
  void failed() {
    if (tries >= MAX_TRIES) {
      return;
    }
    long kind = world.between(0, 3);
    sendIn(kind == 0 ? 1 : kind == 1 ? world.between(1, 3_000) : world.between(1, 40_000));
  }
}
