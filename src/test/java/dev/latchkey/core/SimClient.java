package dev.latchkey.core;

import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.ScopedKey;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A client that sends one request until it succeeds or gives up: to any node, immediately, soon or
 * much later.
 */
final class SimClient {

  private static final int MAX_TRIES = 6;

  final SimHistory history;
  final String name;
  final String key;
  final String body;
  final Operation operation;
  private final SimWorld world;
  private final SplittableRandom dice;
  private int tries;
  private boolean over;

  SimClient(SimHistory history, String name, String key, String body) {
    this.history = history;
    this.world = history.world;
    this.name = name;
    this.key = key;
    this.body = body;
    dice = world.dice(name + " how");
    byte[] digest = new byte[Fingerprint.HASH_BYTES];
    Arrays.fill(digest, (byte) body.hashCode());
    operation =
        new Operation(
            new ScopedKey("tenant", "POST /pay", key),
            Fingerprint.of(digest),
            history.plan.terms());
  }

  void sendIn(long delayMillis) {
    world.after(SimWorld.NATURE, delayMillis * SimWorld.MILLI, this::send);
  }

  private void send() {
    if (over || !history.goesOn()) {
      return;
    }
    SimProcess process = history.anyProcess(dice);
    if (process.isDead()) {
      sendIn(500);
      return;
    }
    tries++;
    String attempt = name + " try " + tries;
    SplittableRandom how = world.dice(attempt + " how");
    SimPlan plan = history.plan;
    boolean impatient =
        history.isFoul() && world.fault(attempt + " is impatient", plan.impatient());
    long waitMillis = impatient ? how.nextBoolean() ? 0 : how.nextLong(1, 5_000) : 30_000;
    SimCall call = new SimCall(this, process, attempt + " (" + key + ", " + body + ")", waitMillis);
    call.send();
    if (history.isFoul() && world.fault(attempt + " hangs up", plan.hangUp())) {
      long after = how.nextBoolean() ? how.nextLong(0, 300) : how.nextLong(0, 20_000);
      world.after(SimWorld.NATURE, after * SimWorld.MILLI, call::hangUp);
    }
  }

  void satisfied() {
    over = true;
  }

  boolean isSatisfied() {
    return over;
  }

  /** This try failed. */
  void failed() {
    if (tries >= MAX_TRIES || !world.part(name + " tries " + (tries + 1) + " times")) {
      return;
    }
    int kind = dice.nextInt(7);
    long most = kind < 2 ? 2 : kind < 4 ? 3_000 : kind < 6 ? 40_000 : 100_000;
    sendIn(dice.nextLong(1, most));
  }
}
