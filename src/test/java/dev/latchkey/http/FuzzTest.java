package dev.latchkey.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * No input of a client breaks the service. {@code -Dfuzz.seed=} repeats a sequence, {@code
 * -Dfuzz.inputs=} makes it longer.
 */
class FuzzTest {

  private static final int INPUTS = Integer.getInteger("fuzz.inputs", 200_000);

  @Test
  void everyInputGetsAResponse() {
    try (Scene scene = new Scene(new MemoryFixture(), Sabotage.NONE)) {
      Fuzzing fuzzing = new Fuzzing(scene.node(Fuzzing.OPTIONS), INPUTS);
      fuzzing.run();

      fuzzing.assertReachedEverything();
      assertThat(scene.pspStats().maxChargesPerKey()).isEqualTo(1);
    }
  }
}
