package dev.latchkey.web.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The quick way and the whole one have to come to the same bytes; the latter is the definition. */
class PlainJsonTest {

  private static final String PRELUDE = "before ";

  private final PlainJson plain = new PlainJson();
  private final SketchWriter sketches = new SketchWriter(new Sha256());
  private final ByteSink sink = new ByteSink(16);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"amount\":1250,\"currency\":\"EUR\",\"metadata\":{\"order\":\"1017\",\"channel\":1}}",
        " {\"b\" : 1,\r\n\"a\":-2\t, \"\": [ ] ,\"ab\":{},\"a \":[{\"z\":0,\"y\":[1,{\"x\":1}]}]} ",
        "[{\"b\":1,\"a\":2},{\"d\":1,\"c\":true},false,null]",
        "0",
        "-999999999999999999",
        "\"text\u007f\"",
        "{}",
        "[]",
      })
  void readsWhatClientsSend(String json) {
    assertThat(agrees(json.getBytes(StandardCharsets.UTF_8), 64)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{\"a\":1,\"a\":1}",
        "{\"b\":1,\"a\":1,\"b\":2}",
        "{\"a\":1,}",
        "{\"a\"}",
        "{\"a\" 1}",
        "{a:1}",
        "{,}",
        "{\"a\":1}}",
        "{\"a\":1} x",
        "{\"a\":1}\u0000",
        "1\u0000",
        "[1,]",
        "[1 2]",
        "[",
        "{\"a\":",
        "\"a",
        "\"\t\"",
        "\"\\n\"",
        "\"\u00e9\"",
        "01",
        "-",
        "-0",
        "-01",
        "1.0",
        "1e3",
        "1234567890123456789",
        "12a",
        "tru",
        "trues",
        "nul",
        "[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]",
      })
  void leavesTheRestAlone(String json) {
    assertThat(agrees(json.getBytes(StandardCharsets.UTF_8), 64)).isFalse();
  }

  @Property
  void agreesOnEverySpellingOfAnyValue(
      @ForAll("json") Object value,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 6) int depth) {
    String json = JsonSamples.spell(value, new Random(seed));
    agrees(json.getBytes(StandardCharsets.UTF_8), depth);
  }

  /** Documents of the plain kind, of which a few bytes are damaged: most are read quickly. */
  @Property(tries = 5_000)
  void agreesOnPlainDocumentsWholeAndBroken(@ForAll long seed) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    plainValue(random, 4, text);
    byte[] json = text.toString().getBytes(StandardCharsets.US_ASCII);
    assertThat(agrees(json, 64)).isTrue();
    for (int i = 0; i < 8; i++) {
      byte[] broken = json.clone();
      String marks = "{}[]\",:\\ 0-e.tn\u0000a\u0001";
      int at = random.nextInt(broken.length);
      broken[at] =
          random.nextInt(4) == 0
              ? (byte) random.nextInt()
              : (byte) marks.charAt(random.nextInt(marks.length()));
      agrees(broken, 1 + random.nextInt(5));
    }
  }

  @Test
  void manyMembersAreLeftAlone() {
    StringBuilder text = new StringBuilder("{\"x\":0");
    for (int i = 0; i < 10_000; i++) {
      text.append(",\"m").append(10_000 + i).append("\":1");
    }
    assertThat(agrees(text.append('}').toString().getBytes(StandardCharsets.US_ASCII), 64))
        .isFalse();
  }

  @Test
  void sketchEndsWhereTheWholeWaysDoes() {
    for (int name = 1; name <= 140; name++) {
      StringBuilder text = new StringBuilder("{");
      for (int i = 0; i < 40; i++) {
        text.append(i == 0 ? "" : ",")
            .append('"')
            .append((char) ('0' + i))
            .append("x".repeat(name));
        text.append("\":").append(i);
      }
      // The name with a backslash is not plain, so it is another text.
      String json = text.append('}').toString().replace("\\", "~");
      assertThat(agrees(json.getBytes(StandardCharsets.US_ASCII), 64)).isTrue();
    }
  }

  @Provide
  net.jqwik.api.Arbitrary<Object> json() {
    return JsonSamples.values();
  }

  /** Returns whether it was read; if so, it came out as the whole way has it. */
  private boolean agrees(byte[] body, int maxDepth) {
    byte[] before = body.clone();
    sink.clear();
    sink.putAscii(PRELUDE);
    boolean read = plain.write(body, maxDepth, sink);
    assertThat(body).isEqualTo(before);
    if (!read) {
      assertThat(sink.toString()).isEqualTo(PRELUDE);
      return false;
    }
    CanonicalJson.Result result = CanonicalJson.parse(body, maxDepth);
    assertThat(result).isInstanceOf(CanonicalJson.Parsed.class);
    JsonTree tree = ((CanonicalJson.Parsed) result).tree();
    ByteSink whole = new ByteSink(16);
    tree.write(whole);
    assertThat(sink.toString()).isEqualTo(PRELUDE + whole);
    byte[] sketch = sketches.write(plain, sink, PRELUDE.length());
    assertThat(sketch).isEqualTo(new SketchWriter(new Sha256()).write(tree));
    return true;
  }

  private static void plainValue(Random random, int levels, StringBuilder text) {
    switch (random.nextInt(levels == 0 ? 3 : 6)) {
      case 0 -> text.append(random.nextInt(2_000) - 1_000 + (random.nextBoolean() ? 1_000_000 : 0));
      case 1 -> plainText(random, text);
      case 2 -> text.append(random.nextBoolean() ? "true" : "null");
      case 3 -> {
        text.append('[');
        for (int n = random.nextInt(4), i = 0; i < n; i++) {
          text.append(i == 0 ? "" : ", ");
          plainValue(random, levels - 1, text);
        }
        text.append(']');
      }
      default -> {
        text.append('{');
        for (int n = random.nextInt(6), i = 0; i < n; i++) {
          text.append(i == 0 ? "" : ",").append('"').append((char) ('a' + random.nextInt(3)));
          text.append(i).append("\": ");
          plainValue(random, levels - 1, text);
        }
        text.append('}');
      }
    }
  }

  private static void plainText(Random random, StringBuilder text) {
    text.append('"');
    for (int n = random.nextInt(5); n > 0; n--) {
      text.append("b c!~".charAt(random.nextInt(5)));
    }
    text.append('"');
  }
}
