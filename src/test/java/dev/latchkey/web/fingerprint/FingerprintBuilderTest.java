package dev.latchkey.web.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.json.JsonPointers;
import dev.latchkey.json.JsonSamples;
import dev.latchkey.testing.SeededTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FingerprintBuilderTest {

  private static final String JSON = "application/json";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"amount\":1} | { \"amount\" : 1.0 }",
        "{\"amount\":1} | {\"amount\":1e0}",
        "{\"amount\":1} | {\"amount\":10e-1}",
        "{\"a\":1,\"b\":2} | {\"b\":2,\"a\":1}",
        "{\"a\":\"\\u00e9\"} | {\"\\u0061\":\"\u00e9\"}",
        "{\"a\":-0} | {\"a\":0.00}",
      })
  void equalBodies(String one, String other) {
    assertThat(json(one)).isEqualTo(json(other));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"amount\":9007199254740993} | {\"amount\":9007199254740992}",
        "{\"amount\":0.1} | {\"amount\":0.10000000000000000001}",
        "{\"amount\":1} | {\"amount\":\"1\"}",
        "{\"a\":null} | {}",
        "{\"a\":[1,2]} | {\"a\":[2,1]}",
        "{\"a\":{\"b\":1}} | {\"a\":{},\"b\":1}",
        "[] | {}",
        "null | \"null\"",
        "[[],[]] | [[[]]]",
        "{\"a\":\"\u00e9\"} | {\"a\":\"e\u0301\"}",
      })
  void differentBodies(String one, String other) {
    assertThat(json(one)).isNotEqualTo(json(other));
  }

  @Test
  void everyPartCounts() {
    Set<Fingerprint> seen = new HashSet<>();
    List<Fingerprint> all =
        List.of(
            of("POST", "/a", "", JSON, "{}"),
            of("PUT", "/a", "", JSON, "{}"),
            of("POST", "/b", "", JSON, "{}"),
            of("POST", "/A", "", JSON, "{}"),
            of("POST", "/a", "x=1", JSON, "{}"),
            of("POST", "/a", "x=2", JSON, "{}"),
            of("POST", "/a", "", "application/merge-patch+json", "{}"),
            of("POST", "/a", "", "text/plain", "{}"),
            of("POST", "/a", "", "", "{}"),
            of("POST", "/a", "", JSON, "[]"),
            of("POST", "/a", "", JSON, ""));
    seen.addAll(all);
    assertThat(seen).hasSameSizeAs(all);
  }

  @Test
  void partsNeverRunIntoEachOther() {
    assertThat(of("POST", "/ab", "", "", "")).isNotEqualTo(of("POST/", "ab", "", "", ""));
    assertThat(of("POST", "/a", "b", "", "")).isNotEqualTo(of("POST", "/ab", "", "", ""));
    assertThat(of("POST", "/a", "b&c", "", "")).isNotEqualTo(of("POST", "/a", "bc", "", ""));
    assertThat(of("POST", "/a", "", "text/a", "b"))
        .isNotEqualTo(of("POST", "/a", "", "text/", "ab"));
  }

  @Test
  void takesTheMediaTypeWithoutCaseAndParameters() {
    Fingerprint plain = of("POST", "/a", "", JSON, "{\"a\":1}");
    assertThat(of("POST", "/a", "", "Application/JSON ; charset=utf-8", "{\"a\": 1}"))
        .isEqualTo(plain);
    assertThat(of("POST", "/a", "", "text/plain;charset=utf-8", "x"))
        .isEqualTo(of("POST", "/a", "", "text/plain", "x"));
    assertThat(of("POST", "/a", "", JSON, "")).isEqualTo(of("POST", "/a", "", "", ""));
  }

  @Test
  void takesOtherBodiesByteForByte() {
    assertThat(of("POST", "/a", "", "text/plain", "{\"a\":1}"))
        .isNotEqualTo(of("POST", "/a", "", "text/plain", "{\"a\": 1}"));
    Fingerprint binary =
        new FingerprintBuilder("POST", "/a", "", "x/y").withBytes(new byte[] {-1, 0});
    assertThat(binary.memberSketch()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "application/json, true",
    "APPLICATION/JSON;x, true",
    "application/problem+json, true",
    "text/plain, false",
    "'', false"
  })
  void readsJsonByItsMediaType(String contentType, boolean json) {
    assertThat(new FingerprintBuilder("POST", "/a", "", contentType).isJson()).isEqualTo(json);
  }

  @Test
  void staysTheSameFromReleaseToRelease() {
    // Nodes of two versions share a store; whoever changes this changes the version byte.
    assertThat(
            of("POST", "/v1/payments", "b=2&a=1", JSON, "{\"currency\":\"EUR\",\"amount\":1000}"))
        .hasToString("e1b678648116e5daa922e9b2be0c672bdd461e41fe15f1b6a2154e268e3cf6eb");
  }

  @SeededTest
  void equalExactlyIfTheBodiesAreEqual(Random random) {
    Map<String, Object> one = JsonSamples.object(random);
    Map<String, Object> other = JsonSamples.object(random);

    assertThat(json(JsonSamples.spell(one, random)))
        .isEqualTo(json(JsonSamples.spell(one, random)));
    assertThat(json(JsonSamples.spell(one, random)).equals(json(JsonSamples.spell(other, random))))
        .isEqualTo(JsonSamples.same(one, other));
  }

  @SeededTest
  void anyChangeOfAMemberShowsInFingerprintAndSketch(Random random) {
    Map<String, Object> before = JsonSamples.object(random);
    Map<String, Object> after = new LinkedHashMap<>(before);
    List<String> names = new ArrayList<>(before.keySet());
    Collections.shuffle(names, random);
    String name = names.isEmpty() ? "new" : names.get(0);
    boolean removed = !names.isEmpty() && random.nextBoolean();
    if (removed) {
      after.remove(name);
    } else {
      after.put(name, JsonSamples.value(random));
    }
    Fingerprint one = json(JsonSamples.spell(before, random));
    Fingerprint other = json(JsonSamples.spell(after, random));
    boolean same = JsonSamples.same(before, after);
    assertThat(one.equals(other)).isEqualTo(same);
    List<String> expected = same ? List.of() : List.of(JsonPointers.member("", name));
    assertThat(SketchDiff.differing(one, other)).isEqualTo(expected);
    assertThat(SketchDiff.differing(other, one)).isEqualTo(expected);
  }

  @SeededTest
  void takesAnyText(Random random) {
    char[] text = new char[random.nextInt(30)];
    for (int i = 0; i < text.length; i++) {
      text[i] =
          random.nextBoolean() ? "%&=;/+aF0".charAt(random.nextInt(9)) : (char) random.nextInt();
    }
    String any = new String(text);
    assertThat(of(any, any, any, any, "x")).isEqualTo(of(any, any, any, any, "x"));
    assertThat(of(any, any, any, any, "x")).isNotEqualTo(of(any, any + "b", any, any, "x"));
  }

  private static Fingerprint json(String body) {
    return of("POST", "/a", "", JSON, body);
  }

  private static Fingerprint of(
      String method, String path, String query, String contentType, String body) {
    return Fingerprints.of(method, path, query, contentType, body);
  }
}
