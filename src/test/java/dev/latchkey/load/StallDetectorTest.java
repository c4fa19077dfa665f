package dev.latchkey.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StallDetectorTest {

  private long nanos;
  private final StallDetector stall = new StallDetector(10, () -> nanos);

  private void pass(long millis) {
    nanos += millis * 1_000_000;
  }

  @Test
  void timeWithoutFailuresDoesNotExpire() {
    pass(1_000);
    assertThat(stall.expired()).isFalse();
  }

  @Test
  void failuresForTheWholeLimitExpire() {
    stall.failed();
    pass(9);
    stall.failed();
    assertThat(stall.expired()).isFalse();
    pass(1);
    assertThat(stall.expired()).isTrue();
  }

  @Test
  void successResetsTheLimit() {
    stall.failed();
    pass(9);
    stall.succeeded();
    pass(9);
    stall.failed();
    pass(9);
    assertThat(stall.expired()).isFalse();
  }
}
