package dev.latchkey.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DisplayTextTest {

  @Test
  void safeTextIsUnchanged() {
    String text = "/problems/é 漢 \uD83D\uDE00 \"<>";
    assertThat(DisplayText.of(text)).isEqualTo(text);
    assertThat(DisplayText.of("x".repeat(200))).hasSize(200);
  }

  @Test
  void controlCharactersAreRemoved() {
    assertThat(DisplayText.of("a\u001b[2J\r\n\u0007\u009b1m\u202eb\u2028c\uD83Dd"))
        .isEqualTo("a[2J1mbcd");
  }

  @Test
  void longTextIsCutBetweenCharacters() {
    assertThat(DisplayText.of("x".repeat(201))).isEqualTo("x".repeat(200) + "...");
    assertThat(DisplayText.of("x".repeat(199) + "\uD83D\uDE00y"))
        .isEqualTo("x".repeat(199) + "...");
    assertThat(DisplayText.of("\u001b".repeat(1_000_000))).isEqualTo("...");
  }
}
