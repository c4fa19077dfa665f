package dev.latchkey.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.JsonNode;
import dev.latchkey.testing.SeededTest;
import java.math.BigDecimal;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StrictJsonTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "  \n",
        "{",
        "[",
        "}",
        "]",
        "[1",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,}",
        "[1,]",
        "[,1]",
        "{a:1}",
        "{'a':1}",
        "'a'",
        "\"a",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\t\"",
        "\"\n\"",
        "01",
        "-",
        "+1",
        "1.",
        ".5",
        "1e",
        "1e+",
        "0x1",
        "NaN",
        "Infinity",
        "-Infinity",
        "tru",
        "truex",
        "nul",
        "//x\n1",
        "/**/1",
        "{\"a\":1} // done",
        "1 2",
        "{}{}",
        "{} {}",
        "[]]",
        "{}x",
        "1,",
        "[1 2]",
        "{\"a\" 1}",
        "{1:1}",
        "[1}",
        "{\"a\":1]",
        "\u00a01",
        "\f1",
        "1\u0000",
        "\u0000",
        "#\n1",
        "\uFEFF{}"
      })
  void rejectsInvalidJson(String json) {
    assertThat(error(json).detail()).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "22c0af22, overlong slash",
    "22c08022, overlong NUL",
    "22e080af22, overlong in three bytes",
    "22f08080af22, overlong in four bytes",
    "22eda08022, a surrogate",
    "22f490808022, beyond U+10FFFF",
    "22ff22, no such byte",
    "22c3, cut short",
    "2280, continuation alone",
    "22e922, ISO 8859-1",
    "fffe7b007d00, UTF-16 with a mark",
    "7b007d00, UTF-16 without",
    "efbbbf7b7d, byte order mark",
  })
  void rejectsEverythingButPlainUtf8(String hex, String what) {
    assertThat(error(HexFormat.of().parseHex(hex))).as(what).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"})
  void rejectsOtherEncodings(String charset) {
    assertThat(error("1".getBytes(Charset.forName(charset)))).isNotNull();
    assertThat(error("{}".getBytes(Charset.forName(charset)))).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":1,\"a\":1} | /a | duplicate member",
        "{\"a\":1,\"\\u0061\":2} | /a | duplicate member",
        "{\"x\":[{},{\"b\":1,\"a/~\":2,\"a/~\":2}]} | /x/1/a~1~0 | duplicate member",
        "{\"x\":[1,\"\\ud800\"]} | /x/1 | a string contains a lone surrogate",
        "{\"x\":[1,\"\\udc00\\ud800\"]} | /x/1 | a string contains a lone surrogate",
        "{\"x\":\"\\u0000\"} | /x | a string contains \\u0000",
        "{\"x\":{\"\\ud800\":1}} | /x | a string contains a lone surrogate",
        "{\"\\ud83d\":1} | `` | a string contains a lone surrogate",
        "{\"x\":{\"\\u0000\":{}}} | /x | a string contains \\u0000",
        "{\"x\":1e1234567890} | /x | an exponent has more than 9 digits",
        "{\"x\":1E-1234567890} | /x | an exponent has more than 9 digits",
        "{\"x\":0e1000000000} | /x | an exponent has more than 9 digits",
        "{\"x\":1e99999999999999999999} | /x | an exponent has more than 9 digits",
        "{\"x\":[1,{\"y\":} | `` | invalid JSON at line 1, column 14",
        "{\"x\":1} 2 | `` | the body continues after the JSON value",
        "{\"x\": | `` | the JSON value is incomplete",
        "` ` | `` | the body is empty",
      })
  void saysWhatIsWrongAndWhere(String json, String pointer, String detail) {
    MalformedJsonException error = error(json);

    assertThat(error.pointer()).isEqualTo(pointer);
    assertThat(error.detail()).isEqualTo(detail);
  }

  @Test
  void neverQuotesTheBody() {
    assertThat(error("{\"card\": secret4242}").detail()).doesNotContain("secret");
  }

  @Test
  void pointerIsShortAndPrintable() {
    assertThat(error("{\"a\":{\"" + "n".repeat(300) + "\":{\"b\":\"\\ud800\"}}}").pointer())
        .isEqualTo("/a");
    assertThat(error("{\"a\":{\"\\u0007\":{\"b\":\"\\ud800\"}}}").pointer()).isEqualTo("/a");
  }

  @Test
  void limitsTheDepth() throws MalformedJsonException {
    assertThat(parse("[".repeat(64) + "]".repeat(64)).isArray()).isTrue();
    assertThat(error("[".repeat(65) + "]".repeat(65)).pointer()).isEqualTo("/0".repeat(64));
    assertThat(error("{\"a\":".repeat(65)).detail()).contains("64 levels");
    assertThat(error("[".repeat(64) + "]".repeat(64) + "]")).isNotNull();
    assertThatIllegalArgumentException().isThrownBy(() -> StrictJson.parse(new byte[0], 0));
    assertThatIllegalArgumentException().isThrownBy(() -> StrictJson.parse(new byte[0], 1_001));
  }

  @ParameterizedTest
  @ValueSource(ints = {5_000, 1_000_000})
  void survivesAnyDepth(int levels) {
    assertThat(error("[".repeat(levels)).detail()).contains("64 levels");
    assertThat(error("[".repeat(levels) + "]".repeat(levels)).detail()).contains("64 levels");
    assertThat(error("{\"a\":".repeat(levels) + "1" + "}".repeat(levels)).detail())
        .contains("64 levels");
  }

  @Test
  void limitsNamesAndNumbers() throws MalformedJsonException {
    String name = "n".repeat(50_000);
    assertThat(parse("{\"" + name + "\":\"" + "s".repeat(100_000) + "\"}").has(name)).isTrue();
    assertThat(error("{\"" + name + "n\":1}").detail()).contains("name", "50000");
    assertThat(parse("1" + "0".repeat(999)).bigIntegerValue().bitLength()).isGreaterThan(3_000);
    assertThat(parse("[1." + "0".repeat(998) + "]").get(0).decimalValue())
        .isEqualByComparingTo("1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".5", "e5"})
  void numberThatIsTooLongIsNamedAsSuch(String tail) {
    MalformedJsonException error = error("{\"a\":" + "1".repeat(1_001) + tail + "}");

    assertThat(error.pointer()).isEqualTo("/a");
    assertThat(error.detail()).isEqualTo("a number has more than 1000 characters");
  }

  @Test
  void readsTextOutsideTheBasicPlane() throws MalformedJsonException {
    assertThat(parse("\"\\ud83d\\ude00\"").textValue()).isEqualTo("\ud83d\ude00");
    assertThat(parse("\"\ud83d\ude00\"").textValue()).isEqualTo("\ud83d\ude00");
    assertThat(parse(" {\"a\" : {\"b\":null}, \"c\":[true,false,\"\"]}\n").size()).isEqualTo(2);
  }

  @Test
  void numbersAreExactAndKeepTheirKind() throws MalformedJsonException {
    assertThat(parse("1").isIntegralNumber()).isTrue();
    assertThat(parse("1.0").isIntegralNumber()).isFalse();
    assertThat(parse("1e3").isIntegralNumber()).isFalse();
    assertThat(parse("9007199254740993").longValue()).isEqualTo(9007199254740993L);
    assertThat(parse("0.1000000000000000055511151231257827").decimalValue())
        .isEqualByComparingTo(new BigDecimal("0.1000000000000000055511151231257827"));
    assertThat(parse("1e10000").decimalValue()).isEqualByComparingTo(new BigDecimal("1e10000"));
  }

  @SeededTest
  void damagedDocumentIsParsedOrRejected(Random random) {
    byte[] body = bytes(JsonSamples.spell(JsonSamples.value(random), random));
    for (int i = 0; i < 20; i++) {
      body[random.nextInt(body.length)] = (byte) random.nextInt(256);
      parsesOrRejects(body.clone());
    }
    random.nextBytes(body);
    parsesOrRejects(body);
  }

  @FuzzTest
  void fuzz(byte[] input) {
    parsesOrRejects(input);
  }

  private static void parsesOrRejects(byte[] body) {
    byte[] before = body.clone();
    try {
      String canonical = canonical(body);
      assertThat(canonical(bytes(canonical))).isEqualTo(canonical);
    } catch (MalformedJsonException e) {
      assertThat(e.detail()).isNotEmpty();
    }
    assertThat(body).isEqualTo(before);
  }

  private static String canonical(byte[] body) throws MalformedJsonException {
    StringBuilder canonical = new StringBuilder();
    CanonicalJson.write(StrictJson.parse(body, 64), canonical);
    return canonical.toString();
  }

  private static JsonNode parse(String json) throws MalformedJsonException {
    return StrictJson.parse(bytes(json), 64);
  }

  private static MalformedJsonException error(String json) {
    return error(bytes(json));
  }

  private static MalformedJsonException error(byte[] json) {
    MalformedJsonException error =
        catchThrowableOfType(MalformedJsonException.class, () -> StrictJson.parse(json, 64));
    assertThat(error).isNotNull();
    return error;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
