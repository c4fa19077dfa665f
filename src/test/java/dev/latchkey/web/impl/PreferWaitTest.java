package dev.latchkey.web.impl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.latchkey.testing.SeededTest;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PreferWaitTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "wait=5 | 5",
        "wait=0 | 0",
        "wait=007 | 7",
        "WAIT=5 | 5",
        "Wait = 5 | 5",
        "wait=\"5\" | 5",
        "wait=\"\\5\" | 5",
        "wait=5;foo=bar | 5",
        "wait=5 ; foo ; bar=\"x,wait=9\" | 5",
        "respond-async, wait=5 | 5",
        "respond-async,,  ,wait=5 | 5",
        "foo=\"a, wait=9\", wait=5 | 5",
        "foo=\"a\\\", wait=9\", wait=5 | 5",
        "foo; wait=9, wait=5 | 5",
        "wait=5, wait=9 | 5",
        "no such thing, wait=5 | 5",
        "=3, wait=5 | 5",
        "wait=9223372036854775807 | 9223372036854775807",
        "wait=9223372036854775808 | 9223372036854775807",
        "wait=99999999999999999999999999 | 9223372036854775807",
      })
  void firstWaitCounts(String line, long seconds) {
    assertThat(PreferWait.seconds(List.of(line))).hasValue(seconds);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "wait",
        "wait=",
        "wait=\"\"",
        "wait=-1",
        "wait=+1",
        "wait=1.5",
        "wait=1s",
        "wait=soon",
        "wait=1 2",
        "wait=\"5\"6",
        "wait=\"5",
        "wait=\u0665",
        "wait=5=6",
        "waiting=5",
        "x-wait=5",
        "foo; wait=5",
        "foo=\"wait=5",
        "wait=soon, wait=5",
      })
  void otherPreferencesAreIgnored(String line) {
    assertThat(PreferWait.seconds(List.of(line))).isEqualTo(OptionalLong.empty());
  }

  @Test
  void linesAreReadInOrder() {
    assertThat(PreferWait.seconds(List.of())).isEmpty();
    assertThat(PreferWait.seconds(List.of("respond-async", "return=minimal, wait=3", "wait=4")))
        .hasValue(3);
  }

  @Test
  void defaultAndCapApply() {
    assertThat(PreferWait.decide(List.of(), 30_000, 60_000))
        .isEqualTo(new PreferWait(30_000, Optional.empty()));
    assertThat(PreferWait.decide(List.of("wait=nonsense"), 30_000, 60_000))
        .isEqualTo(new PreferWait(30_000, Optional.empty()));
    assertThat(PreferWait.decide(List.of("wait=7"), 30_000, 60_000))
        .isEqualTo(new PreferWait(7_000, Optional.of("wait=7")));
    assertThat(PreferWait.decide(List.of("wait=0"), 30_000, 60_000))
        .isEqualTo(new PreferWait(0, Optional.of("wait=0")));
    assertThat(PreferWait.decide(List.of("wait=61"), 30_000, 60_000))
        .isEqualTo(new PreferWait(60_000, Optional.of("wait=60")));
    assertThat(PreferWait.decide(List.of("wait=99999999999999999999"), 30_000, 60_000))
        .isEqualTo(new PreferWait(60_000, Optional.of("wait=60")));
    assertThat(PreferWait.decide(List.of("wait=2"), 30_000, 1_500))
        .isEqualTo(new PreferWait(1_500, Optional.of("wait=1")));
  }

  @SeededTest
  void waitNeverExceedsTheCap(Random random) {
    long capMillis = random.nextLong(1, 1L << 50);
    List<String> lines = List.of("wait=" + random.nextLong());
    assertThat(PreferWait.decide(lines, 1, capMillis).waitMillis()).isBetween(0L, capMillis);
  }

  @SeededTest
  void anyTextIsAccepted(Random random) {
    StringBuilder line = new StringBuilder();
    for (int i = random.nextInt(40); i > 0; i--) {
      line.append(" wait=;,\"\\05\u0665".charAt(random.nextInt(13)));
    }
    assertThatCode(() -> PreferWait.seconds(List.of("" + line))).doesNotThrowAnyException();
  }
}
