package dev.latchkey.payments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.SeededTest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathSegmentTest {

  @SeededTest
  void decodesAnyEncodedText(Random random) {
    StringBuilder any = new StringBuilder();
    for (int n = random.nextInt(40); n > 0; n--) {
      any.appendCodePoint(random.nextInt(random.nextBoolean() ? 0x80 : 0x110000));
    }
    String text =
        new String(any.toString().getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    String segment = URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");

    assertThat(PathSegment.decode(segment)).contains(text);
  }

  @Test
  void plusIsPlusAndCaseOfDigitsDoesNotMatter() {
    assertThat(PathSegment.decode("a+b%2f%2F.%2e")).contains("a+b//..");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"%", "a%2", "%zz", "%%", "%C3%28", "%ED%A0%80", "%C0%AF", "\u00e4", "%2/"})
  void rejectsInvalidPercentEncoding(String segment) {
    assertThat(PathSegment.decode(segment)).isEmpty();
  }
}
