package dev.latchkey.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import org.junit.jupiter.api.Test;

class BackOffTest {

  private static final int SAMPLES = 1_000;

  private final Random random = new Random(7);
  private final BackOff backOff = new BackOff(50, 1_000);

  @Test
  void doublesUpToItsBound() {
    long[] full = {50, 100, 200, 400, 800, 1_000, 1_000};
    for (int i = 0; i < full.length; i++) {
      for (int sample = 0; sample < SAMPLES; sample++) {
        assertThat(backOff.delayMillis(i + 1, random)).isBetween(full[i] / 2, full[i]);
      }
    }
    assertThat(backOff.delayMillis(Integer.MAX_VALUE, random)).isBetween(500L, 1_000L);
  }

  @Test
  void spreadsCallersThatFailedTogether() {
    long distinct =
        random.longs(SAMPLES).map(it -> backOff.delayMillis(6, random)).distinct().count();

    assertThat(distinct).isGreaterThan(SAMPLES / 4);
  }

  @Test
  void isAtLeastAMillisecond() {
    assertThat(new BackOff(1, 1).delayMillis(1, random)).isEqualTo(1);
  }

  @Test
  void rejectsBoundsThatAreNone() {
    assertThatIllegalArgumentException().isThrownBy(() -> new BackOff(0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new BackOff(2, 1));
  }
}
