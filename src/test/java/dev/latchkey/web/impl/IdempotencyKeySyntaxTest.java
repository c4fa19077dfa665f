package dev.latchkey.web.impl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.SeededTest;
import dev.latchkey.web.impl.IdempotencyKeySyntax.Key;
import dev.latchkey.web.impl.IdempotencyKeySyntax.Malformed;
import dev.latchkey.web.impl.IdempotencyKeySyntax.Missing;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyKeySyntaxTest {

  @Test
  void keyIsMissingWithoutAHeader() {
    assertThat(IdempotencyKeySyntax.parse(List.of())).isEqualTo(new Missing());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "abc | abc",
        "`\"abc\"` | abc",
        "` \t\"abc\" \t` | abc",
        "` abc\t` | abc",
        "8e03978e-40d5-43dd-bc93-6894a57f9324 | 8e03978e-40d5-43dd-bc93-6894a57f9324",
        "`\"8e03978e-40d5\"` | 8e03978e-40d5",
        "`\"a\\\"b\\\\c\"` | `a\"b\\c`",
        "`\"a b,c;d\"` | `a b,c;d`",
        "`\"abc\";p;q=1;r=\"x, y\"` | abc",
        "`\"abc\" ` | abc",
        "`\"abc\";t=@1659578233;u=@-5` | abc",
        "`\"abc\"; d=%\"f%c3%bc\";p` | abc",
        "`\"a;t=@5;b\"` | `a;t=@5;b`",
        "`\" \"` | ` `",
        "?1 | ?1",
        "42 | 42",
        ":aGk=: | :aGk=:",
        "it's | it's",
      })
  void bareAndQuotedKeysAreAccepted(String text, String key) {
    assertThat(parse(text)).isEqualTo(new Key(key));
  }

  @Test
  void everyBareCharacterIsAccepted() {
    String every = "!#$%&'()*+-./:<=>?@[]^_`{|}~09azAZ";
    assertThat(parse(every)).isEqualTo(new Key(every));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "   ",
        "\"\"",
        "\"",
        "\"abc",
        "abc\"",
        "a\"b",
        "\"a\"b",
        "\"a\" b",
        "\"a\\n\"",
        "\"a\\",
        "a b",
        "a,b",
        "a, b",
        "a, a",
        "\"a\", \"b\"",
        "\"a\",\"a\"",
        "a;p=1",
        "a\\b",
        "(\"a\")",
        "\"a\";P",
        "\"a\";p=",
        "\"a\" ;p",
        "a\u0000b",
        "a\tb",
        "\"a\tb\"",
        "a\rb",
        "a\u007fb",
        "\"a\u007fb\"",
        "caf\u00e9",
        "\"caf\u00e9\"",
        "a\u0080",
        "\ud83d\ude00",
        "\ud800",
        "\uff41",
        "%\"a\"",
      })
  void otherValuesAreMalformed(String text) {
    // The parenthesised and percent forms are other structured types; bare they hold a quote.
    assertThat(parse(text)).isInstanceOf(Malformed.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {";p=%\"", ";p=%\"\";", "; ", ";a=@1", ";a"})
  void longParametersAreParsedWithoutRecursion(String start) {
    for (String repeated : List.of("a", "%c3", start)) {
      assertThat(IdempotencyKeySyntax.parse(List.of("\"a\"" + start + repeated.repeat(4_000))))
          .isNotInstanceOf(Missing.class);
    }
    assertThat(IdempotencyKeySyntax.parse(List.of("\"a\";p=%\"" + "a".repeat(4_000) + "\"")))
        .isEqualTo(new Key("a"));
  }

  @Test
  void keySentTwiceIsMalformedEvenIfIdentical() {
    assertThat(IdempotencyKeySyntax.parse(List.of("abc", "abc")))
        .isEqualTo(new Malformed("the key was sent 2 times, send it once"));
    assertThat(IdempotencyKeySyntax.parse(List.of("\"a\"", "\"b\""))).isInstanceOf(Malformed.class);
  }

  @Test
  void lengthIsCountedAfterUnescaping() {
    assertThat(parse("a".repeat(255))).isEqualTo(new Key("a".repeat(255)));
    assertThat(parse("a".repeat(256)))
        .isEqualTo(new Malformed("the key has 256 characters, allowed are 1 to 255"));
    assertThat(parse('"' + "\\\"".repeat(255) + '"')).isEqualTo(new Key("\"".repeat(255)));
    assertThat(parse('"' + "\\\"".repeat(256) + '"')).isInstanceOf(Malformed.class);
  }

  @Test
  void detailNamesTheErrorAndItsPosition() {
    assertThat(parse("ab c"))
        .isEqualTo(
            new Malformed("' ' at position 3 of the key ab c: quote it as an RFC 9651 String"));
    assertThat(parse("ab\u00e9"))
        .isEqualTo(
            new Malformed(
                "U+00E9 at position 3 of the key ab?: allowed are printable ASCII characters"));
  }

  @SeededTest
  void keySurvivesEncodingAndDecoding(Random random) {
    String key = text(random, 1 + random.nextInt(255), ' ', '~');
    assertThat(parse(IdempotencyKeySyntax.toStructuredString(key))).isEqualTo(new Key(key));
    String segment = IdempotencyKeySyntax.toPathSegment(key);
    assertThat(segment).matches("(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})+");
    assertThat(URLDecoder.decode(segment, StandardCharsets.UTF_8)).isEqualTo(key);
  }

  @Test
  void keyOfDotsIsEncoded() {
    assertThat(IdempotencyKeySyntax.toPathSegment(".")).isEqualTo("%2E");
    assertThat(IdempotencyKeySyntax.toPathSegment("..")).isEqualTo("%2E%2E");
    assertThat(IdempotencyKeySyntax.toPathSegment("...")).isEqualTo("...");
  }

  @SeededTest
  void bareKeyIsAcceptedOnlyAsTheGrammarAllows(Random random) {
    String text = text(random, random.nextInt(20), (char) 0, random.nextBoolean() ? '~' : '\uffff');
    String bare = text.replaceAll("^[ \t]+|[ \t]+$", "");
    IdempotencyKeySyntax.Result result = parse(text);
    if (bare.matches("[!#-+\\--:<-\\[\\]-~]{1,255}")) {
      assertThat(result).isEqualTo(new Key(bare));
    } else if (!bare.startsWith("\"")) {
      assertThat(result).isInstanceOf(Malformed.class);
    }
  }

  @SeededTest
  void unprintableCharactersAreNeitherAcceptedNorEchoed(Random random) {
    String text = text(random, random.nextInt(60), (char) 0, '\u0120');
    IdempotencyKeySyntax.Result result = parse(random.nextBoolean() ? '"' + text + '"' : text);
    if (result instanceof Malformed malformed) {
      assertThat(malformed.detail()).matches("[ -~]{1,160}");
    } else {
      assertThat(((Key) result).key()).matches("[ -~]{1,255}");
    }
  }

  @Test
  void atMostFortyCharactersAreEchoed() {
    Malformed malformed = (Malformed) parse("x".repeat(41) + "secret\u00e9");
    assertThat(malformed.detail()).contains("x".repeat(40)).doesNotContain("x".repeat(41));
  }

  private static String text(Random random, int length, char from, char to) {
    StringBuilder text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      text.append((char) (from + random.nextInt(to - from + 1)));
    }
    return text.toString();
  }

  private static IdempotencyKeySyntax.Result parse(String text) {
    return IdempotencyKeySyntax.parse(List.of(text));
  }
}
