package dev.latchkey.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Negative controls: the table of situations fails on a service with a defect. */
class SituationDefectTest {

  @ParameterizedTest
  @MethodSource("defects")
  void noticesTheDefectBehindIt(Situation row, Defect defect) {
    assertFails(row, defect.sabotage(), "");
  }

  static Stream<Arguments> defects() {
    return Arrays.stream(Defect.values())
        .flatMap(defect -> defect.rows().stream().map(row -> Arguments.of(row, defect)));
  }

  @Test
  void everyRowHasADefectBehindIt() {
    Set<Situation> without = EnumSet.allOf(Situation.class);
    Arrays.stream(Defect.values()).map(Defect::rows).forEach(without::removeAll);
    assertThat(without).as("rows that no defect in Defect is listed for").isEmpty();
  }

  @Test
  void everySituationIsOneRow() {
    assertThat(
            SituationContract.TABLE
                .lines()
                .skip(1)
                .filter(line -> !line.isBlank())
                .map(line -> line.split("\\|")[0].strip()))
        .containsExactlyInAnyOrder(
            Arrays.stream(Situation.values()).map(Enum::name).toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource({
    "Idempotent-Replayed, SAME_FINISHED, [headers]",
    "Idempotent-Replayed, PARKED, [headers]",
    "Idempotency-Expires, FIRST_USE, [headers]",
    "Idempotency-Key, FIRST_USE, [Idempotency-Key]",
    "Retry-After, STORE_AWAY, [headers]",
    "Link, NO_KEY, [Link]",
  })
  void noticesALostHeader(String lost, Situation row, String column) {
    assertFails(row, Sabotage.ofHeader(lost), column);
  }

  @ParameterizedTest
  @EnumSource
  void noticesAnotherStatus(Situation row) {
    assertFails(row, Sabotage.ofStatus(Row.of(row).status()), "299");
  }

  /** The failure is one of the row, and names the column that differs if one is given. */
  private static void assertFails(Situation row, Sabotage sabotage, String column) {
    assertThatThrownBy(
            () -> {
              try (Scene scene = new Scene(new MemoryFixture(), sabotage)) {
                Row.of(row).check(scene);
              }
            })
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(column);
  }
}
