package dev.latchkey.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShownTest {

  @Test
  void textIsLeftAsItIs() {
    String text = "/problems/é 漢 \uD83D\uDE00 \"<>";
    assertThat(Shown.text(text)).isEqualTo(text);
    assertThat(Shown.text("x".repeat(200))).hasSize(200);
  }

  @Test
  void whatSteersATerminalIsLeftOut() {
    assertThat(Shown.text("a\u001b[2J\r\n\u0007\u009b1m\u202eb\u2028c\uD83Dd"))
        .isEqualTo("a[2J1mbcd");
  }

  @Test
  void whatIsTooLongIsCutBetweenCharacters() {
    assertThat(Shown.text("x".repeat(201))).isEqualTo("x".repeat(200) + "...");
    assertThat(Shown.text("x".repeat(199) + "\uD83D\uDE00y")).isEqualTo("x".repeat(199) + "...");
    assertThat(Shown.text("\u001b".repeat(1_000_000))).isEqualTo("...");
  }
}
