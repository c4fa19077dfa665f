package dev.latchkey.idempotency.impl.flow;

import static org.assertj.core.api.Assertions.fail;

import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The real control flow through many histories of faults, each made from a seed. New seeds at every
 * run: {@code -Dsim.seeds=} says how many, {@code -Dsim.seed=} runs a single one again.
 */
class SimulationTest {

  private static final int SEEDS = Integer.getInteger("sim.seeds", 10_000);
  private static final int SEEDS_FOR_A_MUTANT = 10_000;

  @Test
  void everyHistoryKeepsEveryPromise() {
    Long only = Long.getLong("sim.seed");
    if (only != null) {
      told(only, SimMutant.NONE);
      return;
    }
    long first = System.nanoTime();
    System.out.println("simulation: " + SEEDS + " histories, the seeds drawn from " + first);
    SplittableRandom seeds = new SplittableRandom(first);
    for (int i = 0; i < SEEDS; i++) {
      long seed = seeds.nextLong();
      if (!holds(seed, SimMutant.NONE)) {
        told(seed, SimMutant.NONE);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void everyPlantedBugIsFound(SimMutant mutant) {
    OptionalLong found = seedsUntilFound(mutant, SEEDS_FOR_A_MUTANT);
    if (found.isEmpty()) {
      fail(mutant + " was not found within " + SEEDS_FOR_A_MUTANT + " histories");
    }
    System.out.println("simulation: " + mutant + " found after " + found.getAsLong());
  }

  static OptionalLong seedsUntilFound(SimMutant mutant, int most) {
    SplittableRandom seeds = new SplittableRandom(42);
    for (int i = 1; i <= most; i++) {
      if (!holds(seeds.nextLong(), mutant)) {
        return OptionalLong.of(i);
      }
    }
    return OptionalLong.empty();
  }

  static boolean holds(long seed, SimMutant mutant) {
    try {
      new SimHistory(seed, mutant, false).run();
      return true;
    } catch (SimViolation | RuntimeException found) {
      return false;
    }
  }

  /** Runs a history again, and fails with its story. */
  static void told(long seed, SimMutant mutant) {
    SimHistory history = new SimHistory(seed, mutant, true);
    try {
      history.run();
    } catch (SimViolation | RuntimeException found) {
      String story = String.join("\n", history.story());
      throw new AssertionError(
          found + "\n-Dsim.seed=" + seed + " runs this history again:\n" + story, found);
    }
  }
}
