package dev.latchkey.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationParserTest {

  @ParameterizedTest
  @CsvSource({"250ms, 250", "10s, 10000", "5m, 300000", "24h, 86400000", "0s, 0"})
  void durationsAreRead(String text, long millis) {
    assertThat(DurationParser.millis(text)).isEqualTo(millis);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "10", "s", "-1s", "1.5s", "10 s", "10S", "1d", "9999999999s"})
  void anythingElseIsRefusedByName(String text) {
    assertThatThrownBy(() -> DurationParser.millis(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'");
  }
}
