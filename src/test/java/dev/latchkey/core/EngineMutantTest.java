package dev.latchkey.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.lang.reflect.Method;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulation finds single mutations of the engine, each by the promise that it breaks. */
class EngineMutantTest {

  private static final int SEEDS = Integer.getInteger("sim.mutant.seeds", 4_000);

  @ParameterizedTest
  @EnumSource
  void everyMutationIsFoundByItsPromise(EngineMutant mutant) throws Exception {
    AtomicInteger applied = new AtomicInteger();
    Method history =
        mutant
            .classes(applied)
            .loadClass(SimResult.class.getName())
            .getDeclaredMethod("brokenPromise", long.class);
    history.setAccessible(true);
    SplittableRandom seeds = new SplittableRandom(42);
    for (int i = 0; i < mutant.skipped; i++) {
      seeds.nextLong();
    }
    for (int i = 1; i <= SEEDS; i++) {
      String broken = (String) history.invoke(null, seeds.nextLong());
      if (!broken.isEmpty()) {
        System.out.println("simulation: " + mutant + " found after " + i + ": " + broken);
        assertThat(broken).contains(mutant.promise);
        return;
      }
    }
    fail("%s (%d calls mutated) was not found within %d histories", mutant, applied.get(), SEEDS);
  }
}
