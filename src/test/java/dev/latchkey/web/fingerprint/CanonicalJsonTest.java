package dev.latchkey.web.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.web.fingerprint.CanonicalJson.Malformed;
import dev.latchkey.web.fingerprint.CanonicalJson.Parsed;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
        "-0.0 | 0",
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
  void writesTheCanonicalForm(String json, String canonical) {
    assertThat(canonical(json)).isEqualTo(canonical);
  }

  @Test
  void sortsByUtf16CodeUnits() {
    // RFC 8785, section 3.2.3.
    String json =
        "{\"\\u20ac\":1,\"\\r\":2,\"\\ufb33\":3,\"1\":4,\"\\ud83d\\ude00\":5,\"\\u0080\":6,"
            + "\"\\u00f6\":7}";
    assertThat(canonical(json))
        .isEqualTo(
            "{\"\\r\":2,\"1\":4,\"\u0080\":6,\"\u00f6\":7,\"\u20ac\":1,\"\ud83d\ude00\":5,"
                + "\"\ufb33\":3}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
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
        "1 2",
        "{}{}",
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
        "#\n1"
      })
  void refusesBrokenJson(String json) {
    assertThat(parse(json)).isInstanceOf(Malformed.class);
  }

  @ParameterizedTest
  @CsvSource({
    "22c0af22, overlong slash",
    "22e080af22, overlong in three",
    "22f08080af22, overlong in four",
    "22eda08022, a surrogate",
    "22f490808022, beyond U+10FFFF",
    "22ff22, no such byte",
    "22c3, cut short",
    "2280, continuation alone",
    "fffe7b007d00, UTF-16 with a mark",
    "7b007d00, UTF-16 without",
    "efbbbf7b7d, byte order mark",
  })
  void refusesWhatIsNotPlainUtf8(String hex, String what) {
    assertThat(CanonicalJson.parse(HexFormat.of().parseHex(hex), 64))
        .as(what)
        .isInstanceOf(Malformed.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":1,\"a\":1} | /a | the member is there twice",
        "{\"a\":1,\"\\u0061\":2} | /a | the member is there twice",
        "{\"x\":[{},{\"b\":1,\"a/~\":2,\"a/~\":2}]} | /x/1/a~1~0 | the member is there twice",
        "{\"x\":[1,\"\\ud800\"]} | /x/1 | a string holds a lone surrogate",
        "{\"x\":[1,\"\\udc00\\ud800\"]} | /x/1 | a string holds a lone surrogate",
        "{\"x\":\"\\u0000\"} | /x | a string holds the character U+0000",
        "{\"x\":{\"\\ud800\":1}} | /x | a string holds a lone surrogate",
        "{\"x\":{\"\\u0000\":{}}} | /x | a string holds the character U+0000",
        "{\"x\":1e1234567890} | /x | a number has an exponent of more than 9 digits",
        "{\"x\":[1,{\"y\":} | /x/1/y | broken JSON at line 1, column 14",
        "{\"x\":1} 2 | `` | the body goes on after its JSON document",
        "{\"x\": | /x | the JSON document ends too early",
      })
  void saysWhatIsWrongAndWhere(String json, String pointer, String detail) {
    assertThat(parse(json)).isEqualTo(new Malformed(pointer, detail));
  }

  @Test
  void neverQuotesTheBody() {
    Malformed malformed = (Malformed) parse("{\"card\": secret4242}");
    assertThat(malformed.detail()).doesNotContain("secret");
  }

  @Test
  void boundsTheDepth() {
    assertThat(canonical("[".repeat(64) + "]".repeat(64))).hasSize(128);
    assertThat(parse("[".repeat(65) + "]".repeat(65)))
        .isEqualTo(new Malformed("/0".repeat(64), "nested more than 64 levels deep"));
    assertThat(parse("{\"a\":".repeat(65))).isInstanceOf(Malformed.class);
    assertThat(parse("[".repeat(64) + "]".repeat(64) + "]")).isInstanceOf(Malformed.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {5_000, 1_000_000})
  void survivesAnyDepth(int levels) {
    String arrays = "[".repeat(levels) + "]".repeat(levels);
    String objects = "{\"a\":".repeat(levels) + "1" + "}".repeat(levels);
    assertThat(parse(arrays)).isInstanceOf(Malformed.class);
    assertThat(parse(objects)).isInstanceOf(Malformed.class);
    assertThat(canonical(arrays, levels)).isEqualTo(arrays);
    assertThat(canonical(objects, levels)).isEqualTo(objects);
    assertThat(CanonicalJson.parse(bytes("[".repeat(levels)), levels))
        .isInstanceOf(Malformed.class);
  }

  @Test
  void boundsThePointer() {
    Malformed malformed = (Malformed) parse("{\"a\":{\"" + "n".repeat(300) + "\":{\"b\":?}}}");
    assertThat(malformed.pointer()).isEqualTo("/a");
  }

  @Test
  void takesNamesStringsAndNumbersOfAnyAllowedLength() {
    String name = "n".repeat(100_000);
    String json = "{\"" + name + "\":\"" + "s".repeat(100_000) + "\"}";
    assertThat(canonical(json)).isEqualTo(json);
    assertThat(canonical("[" + "7".repeat(1_000) + "]")).hasSizeLessThan(1_010);
    assertThat(parse("[" + "7".repeat(1_001) + "]")).isInstanceOf(Malformed.class);
  }

  @Test
  void sortsManyMembers() {
    StringBuilder down = new StringBuilder("{");
    StringBuilder up = new StringBuilder("{");
    for (int i = 0; i < 10_000; i++) {
      down.append(i == 0 ? "" : ",").append("\"k").append(19_999 - i).append("\":0");
      up.append(i == 0 ? "" : ",").append("\"k").append(10_000 + i).append("\":0");
    }
    assertThat(canonical(down + "}")).isEqualTo(up + "}");
  }

  @Property
  void anySpellingGivesTheSameFormAndItsFormIsAFixedPoint(
      @ForAll("values") Object value, @ForAll Random random) {
    String canonical = canonical(JsonSamples.spell(value, random));
    assertThat(canonical(JsonSamples.spell(value, random))).isEqualTo(canonical);
    assertThat(canonical(canonical)).isEqualTo(canonical);
  }

  @Property
  void garbageNeverFails(@ForAll byte[] body) {
    assertThat(CanonicalJson.parse(body, 64)).isNotNull();
  }

  @Property
  void garbageInsideADocumentNeverFails(@ForAll("values") Object value, @ForAll Random random) {
    byte[] body = bytes(JsonSamples.spell(value, random));
    body[random.nextInt(body.length)] = (byte) random.nextInt(256);
    assertThat(CanonicalJson.parse(body, 64)).isNotNull();
  }

  @Provide
  Arbitrary<Object> values() {
    return JsonSamples.values();
  }

  private static CanonicalJson.Result parse(String json) {
    return CanonicalJson.parse(bytes(json), 64);
  }

  private static String canonical(String json) {
    return canonical(json, 64);
  }

  private static String canonical(String json, int maxDepth) {
    CanonicalJson.Result result = CanonicalJson.parse(bytes(json), maxDepth);
    assertThat(result).isInstanceOf(Parsed.class);
    ByteSink sink = new ByteSink(16);
    ((Parsed) result).tree().write(sink);
    return sink.toString();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
