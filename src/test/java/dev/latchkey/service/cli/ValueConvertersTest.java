package dev.latchkey.service.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.service.cli.ValueConverters.BufferSizeConverter;
import dev.latchkey.service.cli.ValueConverters.DurationConverter;
import dev.latchkey.service.cli.ValueConverters.SizeConverter;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValueConvertersTest {

  private static final int SAMPLES = 10_000;
  private static final long SEED = 20_260_101;

  @Test
  void durationsAreTheirNumberTimesTheirUnit() {
    Map<String, Long> units =
        Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);
    SplittableRandom random = new SplittableRandom(SEED);
    units.forEach(
        (unit, millis) -> {
          for (int i = 0; i < SAMPLES; i++) {
            long count = random.nextLong(1, ValueConverters.MAX_DURATION_MILLIS / millis + 1);
            assertThat(new DurationConverter().convert(count + unit))
                .isEqualTo(Duration.ofMillis(count * millis));
          }
        });
  }

  @Test
  void sizesAreTheirNumberTimesTheirUnit() {
    Map<String, Integer> units = Map.of("", 0, "KiB", 10, "MiB", 20, "GiB", 30);
    SplittableRandom random = new SplittableRandom(SEED);
    units.forEach(
        (unit, shift) -> {
          for (int i = 0; i < SAMPLES; i++) {
            long count = random.nextLong(0, 1L << 33);
            assertThat(new SizeConverter().convert(count + unit)).isEqualTo(count << shift);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0ms",
        "0h",
        "-1s",
        "1",
        "1.5s",
        "1 s",
        "s",
        "10S",
        "1D",
        "5min",
        " 5m",
        "٣s",
        "36501000h",
        "999999999999999999h",
        "99999999999999999999ms"
      })
  void refusesOtherDurations(String text) {
    assertThatThrownBy(() -> new DurationConverter().convert(text))
        .hasMessageContaining("it is not");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "-1", "1.5MiB", "1MB", "1kb", "1K", "MiB", "999999999999999999GiB", "1e3"})
  void refusesOtherSizes(String text) {
    assertThatThrownBy(() -> new SizeConverter().convert(text)).hasMessageContaining("it is not");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0s", "876001h", "36501000h", "9223372036854775807ms"})
  void rejectedDurationNamesBothLimits(String text) {
    assertThatThrownBy(() -> new DurationConverter().convert(text))
        .hasMessageContaining("it is not a duration from 1ms to 36500d");
    assertThat(new DurationConverter().convert("1ms").toMillis()).isEqualTo(1);
    assertThat(new DurationConverter().convert("876000h").toMillis())
        .isEqualTo(ValueConverters.MAX_DURATION_MILLIS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "x", "1KB", "2GiB", "2147483648", "9223372036854775807"})
  void rejectedSizeNamesAValidLimit(String text) {
    assertThatThrownBy(() -> new BufferSizeConverter().convert(text))
        .hasMessageContaining("it is not a positive size below 2GiB")
        .message()
        .doesNotContain("or 2GiB");
    assertThat(new BufferSizeConverter().convert("2147483647")).isEqualTo(Integer.MAX_VALUE);
  }
}
