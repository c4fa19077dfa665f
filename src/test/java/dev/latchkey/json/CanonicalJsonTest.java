package dev.latchkey.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.SeededTest;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanonicalJsonTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | {}",
        "[] | []",
        "` { } ` | {}",
        "null | null",
        "true | true",
        "` false\n` | false",
        "\"\" | \"\"",
        "{\"b\":1,\"a\":2} | {\"a\":2,\"b\":1}",
        "{\"b\":{\"d\":[],\"c\":{}},\"a\":[3,{\"z\":1,\"y\":2},1]}"
            + "| {\"a\":[3,{\"y\":2,\"z\":1},1],\"b\":{\"c\":{},\"d\":[]}}",
        "[[],[[]],{},[{}]] | [[],[[]],{},[{}]]",
        "\"\\u0061\\/\\u00e9\" | \"a/\u00e9\"",
        "\"\\ud83d\\ude00\" | \"\ud83d\ude00\"",
        "\"\\u0008\\u0009\\u000A\\u000c\\u000D\\u001F\\u007f\" | \"\\b\\t\\n\\f\\r\\u001f\u007f\"",
        "\"\\u0022\\u005c\" | \"\\\"\\\\\"",
        "{\"\":1} | {\"\":1}",
      })
  void writesTheCanonicalForm(String json, String canonical) throws MalformedJsonException {
    assertThat(canonical(json)).isEqualTo(canonical);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0, 0",
    "-0.0, 0",
    "0.000, 0",
    "-0e7, 0",
    "0e-999999999, 0",
    "1, 1",
    "-1, -1",
    "1.0, 1",
    "1e0, 1",
    "10e-1, 1",
    "0.1E+1, 1",
    "0.001e3, 1",
    "1e00000000000000, 1",
    "-1.50, -1.5",
    "9007199254740992, 9007199254740992",
    "9007199254740993, 9007199254740993",
    "9007199254740993.0, 9007199254740993",
    "-9223372036854775808, -9223372036854775808",
    "0.1, 0.1",
    "0.10000000000000000001, 0.10000000000000000001",
    // The layout of RFC 8785, appendix B.
    "1e20, 100000000000000000000",
    "100000000000000000000, 100000000000000000000",
    "1e21, 1e+21",
    "1000000000000000000000, 1e+21",
    "999999999999999900000, 999999999999999900000",
    "1E23, 1e+23",
    "0.000001, 0.000001",
    "0.0000001, 1e-7",
    "1.7976931348623157e308, 1.7976931348623157e+308",
    "5e-324, 5e-324",
    "-0.0000033333333333333333, -0.0000033333333333333333",
    "333333333.33333329, 333333333.33333329",
    // Beyond the range of a double, and never expanded.
    "1e999999999, 1e+999999999",
    "12.5e-999999999, 1.25e-999999998",
    "1e-0999999999, 1e-999999999",
  })
  void writesOneSpellingPerNumber(String spelling, String canonical) throws MalformedJsonException {
    assertThat(canonical(spelling)).isEqualTo(canonical);
  }

  @Test
  void sortsByUtf16CodeUnits() throws MalformedJsonException {
    // RFC 8785, section 3.2.3.
    String json =
        "{\"\\u20ac\":1,\"\\r\":2,\"\\ufb33\":3,\"1\":4,\"\\ud83d\\ude00\":5,\"\\u0080\":6,"
            + "\"\\u00f6\":7}";
    assertThat(canonical(json))
        .isEqualTo(
            "{\"\\r\":2,\"1\":4,\"\u0080\":6,\"\u00f6\":7,\"\u20ac\":1,\"\ud83d\ude00\":5,"
                + "\"\ufb33\":3}");
  }

  @Test
  void writesTheGreatestDepth() throws MalformedJsonException {
    String arrays = "[".repeat(StrictJson.MAX_DEPTH) + "]".repeat(StrictJson.MAX_DEPTH);
    String objects =
        "{\"a\":".repeat(StrictJson.MAX_DEPTH) + "1" + "}".repeat(StrictJson.MAX_DEPTH);
    assertThat(canonical(arrays)).isEqualTo(arrays);
    assertThat(canonical(objects)).isEqualTo(objects);
  }

  @Test
  void sortsManyMembers() throws MalformedJsonException {
    StringBuilder down = new StringBuilder("{");
    StringBuilder up = new StringBuilder("{");
    for (int i = 0; i < 10_000; i++) {
      down.append(i == 0 ? "" : ",").append("\"k").append(19_999 - i).append("\":0");
      up.append(i == 0 ? "" : ",").append("\"k").append(10_000 + i).append("\":0");
    }
    assertThat(canonical(down + "}")).isEqualTo(up + "}");
  }

  @SeededTest
  void everySpellingHasTheSameFormWhichIsAFixedPoint(Random random) throws MalformedJsonException {
    Object value = JsonSamples.value(random);
    String canonical = canonical(JsonSamples.spell(value, random));

    assertThat(canonical(JsonSamples.spell(value, random))).isEqualTo(canonical);
    assertThat(canonical(canonical)).isEqualTo(canonical);
  }

  @SeededTest
  void numbersAreEqualExactlyIfTheirValuesAre(Random random) throws MalformedJsonException {
    for (int i = 0; i < 20; i++) {
      String one = number(random);
      String other = number(random);
      boolean same = new BigDecimal(one).compareTo(new BigDecimal(other)) == 0;
      assertThat(canonical(one).equals(canonical(other))).as(one + " " + other).isEqualTo(same);
      assertThat(new BigDecimal(canonical(one))).isEqualByComparingTo(new BigDecimal(one));
    }
  }

  /** Few digits and small exponents, so that equal values with other spellings occur. */
  private static String number(Random random) {
    String[] leads = {"0", "1", "2", "10", "9007199254740993"};
    String[] exponents = {"", "", "e0", "E+1", "e-1", "e-2", "e03", "E21", "e-24"};
    StringBuilder number = new StringBuilder(random.nextBoolean() ? "-" : "");
    number.append(leads[random.nextInt(leads.length)]);
    int digits = random.nextInt(5);
    number.append(digits == 0 ? "" : ".");
    for (int i = 0; i < digits; i++) {
      number.append("0012".charAt(random.nextInt(4)));
    }
    return number.append(exponents[random.nextInt(exponents.length)]).toString();
  }

  private static String canonical(String json) throws MalformedJsonException {
    StringBuilder canonical = new StringBuilder();
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    CanonicalJson.write(StrictJson.parse(bytes, StrictJson.MAX_DEPTH), canonical);
    return canonical.toString();
  }
}
