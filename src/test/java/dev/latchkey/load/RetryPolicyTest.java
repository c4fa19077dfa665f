package dev.latchkey.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryPolicyTest {

  private final RetryPolicy policy = RetryPolicy.forService(0);
  private final RandomGenerator random = new SplittableRandom(1);

  @Test
  void retryAfterIsHonouredUpToTheMaximum() {
    assertThat(policy.delayMillis(1, OptionalLong.of(2), random)).isEqualTo(2_000);
    assertThat(policy.delayMillis(1, OptionalLong.of(0), random)).isEqualTo(1);
    assertThat(policy.delayMillis(1, OptionalLong.of(999_999_999), random))
        .isEqualTo(policy.backOff().maxMillis());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 8, 60, Integer.MAX_VALUE})
  void backOffGrowsToTheMaximum(int failed) {
    long full = Math.min(50L << Math.min(failed - 1, 20), policy.backOff().maxMillis());
    for (int i = 0; i < 100; i++) {
      assertThat(policy.delayMillis(failed, OptionalLong.empty(), random))
          .isBetween(full / 2, full);
    }
  }

  @Test
  void attemptLimitExceedsTheLimitsOfServiceAndPsp() {
    assertThat(RetryPolicy.forService(60_000).attemptMillis()).isGreaterThan(65_000 + 60_000);
  }
}
