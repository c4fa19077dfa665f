package dev.latchkey.core;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The result of a history.
 *
 * @param script of the history
 * @param broken the violated promise, if any
 * @param occurred names of the parts and faults until then
 * @param story one line per event; empty unless recorded
 */
record SimResult(
    SimScript script, Optional<Throwable> broken, Set<String> occurred, List<String> story) {

  static SimResult of(SimScript script, boolean telling) {
    SimHistory history = new SimHistory(script, telling);
    Optional<Throwable> broken = Optional.empty();
    try {
      history.run();
    } catch (AssertionError | RuntimeException thrown) {
      broken = Optional.of(thrown);
    }
    return new SimResult(script, broken, history.world.occurred, history.story());
  }

  /** Returns the promise that a history breaks, empty if none. Fails with any other exception. */
  static String brokenPromise(long seed) {
    SimResult run = of(SimScript.of(seed, SimMutant.NONE), false);
    run.broken()
        .filter(thrown -> !(thrown instanceof SimViolation))
        .ifPresent(
            thrown -> {
              throw new IllegalStateException("no promise, but " + thrown, thrown);
            });
    return run.broken().map(Throwable::getMessage).orElse("");
  }

  static boolean holds(SimScript script) {
    return of(script, false).broken().isEmpty();
  }
}
