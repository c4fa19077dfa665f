package dev.latchkey.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StallTest {

  private long nanos;
  private final Stall stall = new Stall(10, () -> nanos);

  private void pass(long millis) {
    nanos += millis * 1_000_000;
  }

  @Test
  void timeWithoutTroubleIsNoStall() {
    pass(1_000);
    assertThat(stall.expired()).isFalse();
  }

  @Test
  void troubleForTheWholeLimitIs() {
    stall.trouble();
    pass(9);
    stall.trouble();
    assertThat(stall.expired()).isFalse();
    pass(1);
    assertThat(stall.expired()).isTrue();
  }

  @Test
  void progressBeginsAnew() {
    stall.trouble();
    pass(9);
    stall.progress();
    pass(9);
    stall.trouble();
    pass(9);
    assertThat(stall.expired()).isFalse();
  }
}
