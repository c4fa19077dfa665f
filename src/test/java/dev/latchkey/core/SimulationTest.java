package dev.latchkey.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The real engine in many histories of faults, each made from a seed: new seeds in every run, and
 * the kept histories. {@code docs/simulation.md} describes how to run one or a million.
 */
class SimulationTest {

  /** The build repeats the same histories; long runs name other seeds. */
  private static final long BUILD_SEED = 1;

  private static final int SEEDS = Integer.getInteger("sim.seeds", 20_000);
  private static final int SEEDS_FOR_A_MUTANT = 10_000;
  private static final String KEPT = "/simulation/kept.txt";

  @Test
  void everyHistoryKeepsEveryPromise() {
    String only = System.getProperty("sim.seed");
    if (only != null) {
      mustHold(SimScript.parse(only.contains("|") ? only : "NONE | " + only));
      return;
    }
    long first = Long.getLong("sim.first", BUILD_SEED);
    System.out.println("simulation: " + SEEDS + " histories, the seeds drawn from " + first);
    long beganNanos = System.nanoTime();
    SplittableRandom seeds = new SplittableRandom(first);
    for (int i = 0; i < SEEDS; i++) {
      SimScript script = SimScript.of(seeds.nextLong(), SimMutant.NONE);
      if (!SimResult.holds(script)) {
        mustHold(SimShortener.shorten(script));
      }
    }
    long millis = (System.nanoTime() - beganNanos) / 1_000_000L;
    System.out.println("simulation: " + SEEDS + " histories hold, in " + millis + " ms");
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void everyPlantedBugIsFound(SimMutant mutant) {
    SplittableRandom seeds = new SplittableRandom(42);
    for (int i = 1; i <= SEEDS_FOR_A_MUTANT; i++) {
      SimResult run = SimResult.of(SimScript.of(seeds.nextLong(), mutant), false);
      Optional<Throwable> broken = run.broken();
      if (broken.isPresent()) {
        assertThat(broken.get()).isInstanceOf(SimViolation.class);
        System.out.println(
            "simulation: " + mutant + " found after " + i + ": " + broken.get().getMessage());
        return;
      }
    }
    fail("%s was not found within %d histories", mutant, SEEDS_FOR_A_MUTANT);
  }

  static List<SimScript> kept() throws IOException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                SimulationTest.class.getResourceAsStream(KEPT), StandardCharsets.UTF_8))) {
      return lines
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(SimScript::parse)
          .toList();
    }
  }

  /** A kept history fails with its planted bug, and passes without it. */
  @ParameterizedTest
  @MethodSource("kept")
  void keptHistoriesHold(SimScript script) {
    SimScript healthy = new SimScript(script.seed(), SimMutant.NONE, script.only());
    mustHold(healthy);
    if (script.mutant() == SimMutant.NONE) {
      assertThat(SimResult.of(healthy, false).occurred())
          .as("the situation of this history occurs no more; keep another: %s", script)
          .containsAll(script.only().orElse(Set.of()));
    } else {
      assertThat(SimResult.of(script, false).broken())
          .as("this history finds the planted bug no more; keep another: %s", script)
          .containsInstanceOf(SimViolation.class);
    }
  }

  @Test
  void everyPlantedBugHasAKeptHistory() throws IOException {
    assertThat(kept()).extracting(SimScript::mutant).contains(SimMutant.values());
  }

  /** Fails with the story of a history that breaks a promise. */
  private static void mustHold(SimScript script) {
    SimResult run = SimResult.of(script, true);
    run.broken()
        .ifPresent(
            broken -> {
              throw new AssertionError(
                  broken
                      + "\n\"-Dsim.seed="
                      + script
                      + "\" runs this history again:\n"
                      + String.join("\n", run.story()),
                  broken);
            });
  }
}
