package dev.latchkey.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * The long run of {@link FuzzContract}, over the memory store. {@code -Dfuzz.seed=} repeats a run,
 * {@code -Dfuzz.inputs=} makes it longer.
 */
class FuzzTest {

  private static final int INPUTS = Integer.getInteger("fuzz.inputs", 200_000);

  @Test
  void everyInputIsAnswered() {
    try (Scene scene = new Scene(new MemoryFixture(), Sabotage.NONE)) {
      Fuzzing fuzzing = new Fuzzing(scene.node(Fuzzing.OPTIONS), INPUTS);
      fuzzing.run();

      fuzzing.assertReachedEverything();
      assertThat(scene.pspStats().maxChargesPerKey()).isEqualTo(1);
    }
  }
}
