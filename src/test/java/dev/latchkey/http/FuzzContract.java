package dev.latchkey.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** That nothing a client can send breaks the service, whatever keeps its records. */
interface FuzzContract extends HttpContract {

  /** A share of what {@link FuzzTest} sends to the memory store. */
  int INPUTS = 8_000;

  @Test
  default void everyInputIsAnswered() {
    new Fuzzing(serve(Fuzzing.OPTIONS), INPUTS).run();

    assertThat(scene().pspStats().maxChargesPerKey()).isEqualTo(1);
  }
}
