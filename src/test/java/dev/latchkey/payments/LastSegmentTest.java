package dev.latchkey.payments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.Samples;
import dev.latchkey.testing.SeededTest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LastSegmentTest {

  @SeededTest
  void decodesWhatWasEncoded(Random random) {
    String text = Samples.text(random, 40);
    String sound = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    String segment = URLEncoder.encode(sound, StandardCharsets.UTF_8).replace("+", "%20");

    assertThat(LastSegment.decode(segment)).contains(sound);
  }

  @Test
  void plusIsPlusAndCaseOfDigitsDoesNotMatter() {
    assertThat(LastSegment.decode("a+b%2f%2F.%2e")).contains("a+b//..");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"%", "a%2", "%zz", "%%", "%C3%28", "%ED%A0%80", "%C0%AF", "\u00e4", "%2/"})
  void whatIsNotEncodedUtf8IsNothing(String segment) {
    assertThat(LastSegment.decode(segment)).isEmpty();
  }
}
