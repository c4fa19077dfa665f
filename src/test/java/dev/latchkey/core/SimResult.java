package dev.latchkey.core;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What came of a history.
 *
 * @param script that it was made from
 * @param broken the promise that it broke, if any
 * @param occurred the names of the parts and faults that it had until then
 * @param story what happened, one line each; empty unless it was told
 */
record SimRun(
    SimScript script, Optional<Throwable> broken, Set<String> occurred, List<String> story) {

  static SimRun of(SimScript script, boolean telling) {
    SimHistory history = new SimHistory(script, telling);
    Optional<Throwable> broken = Optional.empty();
    try {
      history.run();
    } catch (AssertionError | RuntimeException thrown) {
      broken = Optional.of(thrown);
    }
    return new SimRun(script, broken, history.world.occurred, history.story());
  }

  static boolean holds(SimScript script) {
    return of(script, false).broken().isEmpty();
  }
}
