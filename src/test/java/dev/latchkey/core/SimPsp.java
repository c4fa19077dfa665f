package dev.latchkey.core;

import dev.latchkey.web.fingerprint.DownstreamKey;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The payment service provider: charges once per derived key. It may be busy (503), decline (402),
 * or charge now or late while its response is lost.
 */
final class SimPsp {

  /** The result of a charge. */
  enum Answer {
    YES,
    NO,
    BUSY,
    SILENCE
  }

  private static final double DECLINES = 0.1;

  private final SimWorld world;
  private final SimHistory history;

  /** Derived key by the request that it charges for. */
  private final Map<String, String> charged = new HashMap<>();

  SimPsp(SimWorld world, SimHistory history) {
    this.world = world;
    this.history = history;
  }

  /**
   * Requests a charge.
   *
   * @param name of this occasion
   */
  Answer charge(String name, Operation operation, int attempt) {
    double rate = history.isFoul() ? history.plan.pspFault() : 0;
    if (world.fault(name + " finds the PSP busy", rate)) {
      return Answer.BUSY;
    }
    String derived = derive(operation, attempt);
    boolean silent = world.fault(name + " hears nothing from the PSP", rate);
    if (silent && world.fault(name + " is charged late", 0.5)) {
      SplittableRandom dice = world.dice(name + " how late");
      long delayNanos = dice.nextLong(1, 8_000) * SimWorld.MILLI;
      world.after(SimWorld.NATURE, delayNanos, () -> book(operation, derived));
    } else {
      book(operation, derived);
    }
    if (silent) {
      return Answer.SILENCE;
    }
    boolean declines = !history.plan.calm() && world.fault("the PSP declines " + derived, DECLINES);
    return declines ? Answer.NO : Answer.YES;
  }

  private String derive(Operation operation, int attempt) {
    String derived =
        DownstreamKey.derive(
            operation.key().tenant(),
            operation.key().key(),
            operation.key().route(),
            operation.fingerprint(),
            "charge");
    return world.has(SimMutant.OUTSIDE_KEY_PER_ATTEMPT) ? derived + attempt : derived;
  }

  private void book(Operation operation, String derived) {
    String request = operation.key().key() + "/" + operation.fingerprint();
    String before = charged.putIfAbsent(request, derived);
    world.tell(() -> "PSP: " + (before == null ? "charges for " : "has charged for ") + request);
    world.require(before == null || before.equals(derived), () -> "a second charge for " + request);
  }
}
