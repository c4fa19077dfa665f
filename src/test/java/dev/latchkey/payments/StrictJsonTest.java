package dev.latchkey.payments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class StrictJsonTest {

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of("", "", "empty"),
        Arguments.of("  \n", "", "empty"),
        Arguments.of("{", "", "line 1"),
        Arguments.of("{\"a\":1", "", "line 1"),
        Arguments.of("{\"a\":1,}", "", "line 1"),
        Arguments.of("{a:1}", "", "line 1"),
        Arguments.of("{'a':1}", "", "line 1"),
        Arguments.of("{\"a\":01}", "", "line 1"),
        Arguments.of("{\"a\":+1}", "", "line 1"),
        Arguments.of("{\"a\":.5}", "", "line 1"),
        Arguments.of("{\"a\":NaN}", "", "line 1"),
        Arguments.of("{\"a\":1} // done", "", "line 1"),
        Arguments.of("{} {}", "", "after"),
        Arguments.of("\uFEFF{}", "", "line 1"),
        Arguments.of("{\"a\":\"\t\"}", "", "line 1"),
        Arguments.of("{\"a\":1,\"a\":1}", "/a", "twice"),
        Arguments.of("{\"a\":1,\"\\u0061\":2}", "/a", "twice"),
        Arguments.of("{\"m\":{\"a/b\":1,\"a/b\":1}}", "/m/a~1b", "twice"),
        Arguments.of("{\"a\":\"\\u0000\"}", "/a", "u0000"),
        Arguments.of("{\"m\":{\"\\u0000\":1}}", "/m", "u0000"),
        Arguments.of("{\"a\":[\"\",\"\\ud800\"]}", "/a/1", "surrogate"),
        Arguments.of("{\"a\":\"\\udc00\\ud800\"}", "/a", "surrogate"),
        Arguments.of("{\"\\ud83d\":1}", "", "surrogate"),
        Arguments.of("[".repeat(5_000), "", "64 levels"),
        Arguments.of("{\"a\":".repeat(5_000) + "1" + "}".repeat(5_000), "", "64 levels"),
        Arguments.of("[".repeat(65) + "]".repeat(65), "", "64 levels"),
        Arguments.of("{\"a\":1" + "0".repeat(1_000) + "}", "", ""),
        Arguments.of("{\"a\":1." + "0".repeat(1_000) + "}", "", ""),
        Arguments.of("{\"a\":1e20000}", "/a", "exponent"),
        Arguments.of("{\"a\":1e-20000}", "/a", "exponent"),
        Arguments.of("{\"a\":1e99999999999999999999}", "/a", "exponent"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void refuses(String text, String pointer, String detail) {
    Checked<JsonNode> checked = parse(text);

    assertThat(checked).isInstanceOf(Checked.Invalid.class);
    FieldError error = ((Checked.Invalid<JsonNode>) checked).errors().get(0);
    assertThat(error.pointer()).contains(pointer);
    assertThat(error.detail()).contains(detail);
    assertThat(error.detail()).hasSizeLessThan(200);
  }

  @Test
  void refusesWhatIsNotUtf8() {
    assertThat(StrictJson.parse("{\"a\":\"é\"}".getBytes(StandardCharsets.ISO_8859_1)))
        .isInstanceOf(Checked.Invalid.class);
    assertThat(StrictJson.parse("{}".getBytes(StandardCharsets.UTF_16)))
        .isInstanceOf(Checked.Invalid.class);
    for (Charset other :
        List.of(
            StandardCharsets.UTF_16LE,
            StandardCharsets.UTF_16BE,
            Charset.forName("UTF-32LE"),
            Charset.forName("UTF-32BE"))) {
      assertThat(StrictJson.parse("1".getBytes(other))).isInstanceOf(Checked.Invalid.class);
      assertThat(StrictJson.parse("{}".getBytes(other))).isInstanceOf(Checked.Invalid.class);
    }
    byte[] encodedSurrogate = {'"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"'};
    assertThat(StrictJson.parse(encodedSurrogate)).isInstanceOf(Checked.Invalid.class);
    byte[] overlongNul = {'"', (byte) 0xC0, (byte) 0x80, '"'};
    assertThat(StrictJson.parse(overlongNul)).isInstanceOf(Checked.Invalid.class);
  }

  /** A long text is read in another way than a short one of ASCII. */
  @Property(tries = 3_000)
  void spaceBehindItChangesNothing(
      @ForAll
          @StringLength(max = 24)
          @Chars({
            '{', '}', '[', ']', '"', ':', ',', '\\', 'u', '0', '1', '-', '.', 'e', 'a', 't', 'r',
            'n', 'l', ' ', '\n', '\t', 0, 1, 127, 'd', '8', '/', '\''
          })
          String text) {
    Checked<JsonNode> shortly = parse(text);
    Checked<JsonNode> longly = parse(text + " ".repeat(9_000));

    assertThat(shortly.getClass()).isEqualTo(longly.getClass());
    if (shortly instanceof Checked.Valid<JsonNode> valid) {
      assertThat(valid).isEqualTo(longly);
    } else {
      assertThat(pointers(shortly)).isEqualTo(pointers(longly));
    }
  }

  private static List<String> pointers(Checked<JsonNode> checked) {
    return ((Checked.Invalid<JsonNode>) checked)
        .errors().stream().map(FieldError::pointer).toList();
  }

  @Test
  void takesWhatIsJustAllowed() {
    assertThat(valid("[".repeat(64) + "]".repeat(64)).isArray()).isTrue();
    assertThat(valid("\"\\ud83d\\ude00\"").textValue()).isEqualTo("😀");
    assertThat(valid("\"😀\"").textValue()).isEqualTo("😀");
    assertThat(valid(" {\"a\" : {\"b\":null}, \"c\":[true,false,\"\"]}\n").size()).isEqualTo(2);
    assertThat(valid("1" + "0".repeat(999)).bigIntegerValue().bitLength()).isGreaterThan(3_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".5", "e5"})
  void aNumberThatIsTooLongIsToldSo(String tail) {
    Checked<JsonNode> checked = parse("{\"a\":" + "1".repeat(1_001) + tail + "}");
    assertThat(checked)
        .isInstanceOfSatisfying(
            Checked.Invalid.class,
            invalid ->
                assertThat(invalid.errors().toString())
                    .contains("number", "1000", "nothing was done")
                    .doesNotContain("not valid JSON"));
  }

  @Test
  void numbersAreExactAndKeepHowTheyAreWritten() {
    assertThat(valid("1").isIntegralNumber()).isTrue();
    assertThat(valid("1.0").isIntegralNumber()).isFalse();
    assertThat(valid("1e3").isIntegralNumber()).isFalse();
    assertThat(valid("9007199254740993").longValue()).isEqualTo(9007199254740993L);
    assertThat(valid("0.1000000000000000055511151231257827").decimalValue())
        .isEqualByComparingTo(new BigDecimal("0.1000000000000000055511151231257827"));
    assertThat(valid("1e10000").decimalValue()).isEqualByComparingTo(new BigDecimal("1e10000"));
  }

  private static JsonNode valid(String text) {
    Checked<JsonNode> checked = parse(text);
    assertThat(checked).isInstanceOf(Checked.Valid.class);
    return ((Checked.Valid<JsonNode>) checked).value();
  }

  private static Checked<JsonNode> parse(String text) {
    return StrictJson.parse(text.getBytes(StandardCharsets.UTF_8));
  }
}
