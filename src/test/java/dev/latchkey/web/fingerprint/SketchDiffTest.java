package dev.latchkey.web.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.testing.SeededTest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SketchDiffTest {

  private static final Fingerprint NOTHING_KNOWN = sketched(new byte[0]);

  @Test
  void namesChangedAddedAndRemovedMembers() {
    Fingerprint stored = of("{\"same\":1,\"changed\":[1],\"gone\":null}");
    Fingerprint now = of("{\"added\":{},\"changed\":[2],\"same\":1.0}");
    assertThat(SketchDiff.differing(stored, now)).containsExactly("/added", "/changed", "/gone");
    assertThat(SketchDiff.differing(stored, stored)).isEmpty();
  }

  @Test
  void escapesNames() {
    assertThat(SketchDiff.differing(of("{}"), of("{\"a/b~c\":1,\"\":2}")))
        .containsExactly("/", "/a~1b~0c");
  }

  @Test
  void namesTheDocumentIfItIsNoObject() {
    assertThat(SketchDiff.differing(of("[1]"), of("[2]"))).containsExactly("");
    assertThat(SketchDiff.differing(of("[1]"), of("[1.0]"))).isEmpty();
    assertThat(SketchDiff.differing(of("[]"), of("{}"))).containsExactly("");
    assertThat(SketchDiff.differing(of(""), of("{}"))).containsExactly("");
    assertThat(SketchDiff.differing(of(""), of(""))).isEmpty();
  }

  @Test
  void namesNothingIfASketchIsMissing() {
    assertThat(SketchDiff.differing(NOTHING_KNOWN, of("{\"a\":1}"))).isEmpty();
    assertThat(SketchDiff.differing(of("{\"a\":1}"), NOTHING_KNOWN)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(bytes = {1, 3})
  void namesNothingIfASketchHasAnotherVersion(byte version) {
    Fingerprint stored = sketched(new byte[] {version, 2, 1, 'a', 0, 0, 0, 0, 0, 0, 0, 0});
    assertThat(SketchDiff.differing(stored, of("{\"a\":1}"))).isEmpty();
    assertThat(SketchDiff.differing(of("{\"a\":1}"), stored)).isEmpty();
  }

  @Test
  void staysWithinItsLimitAndComparesTheCommonPart() {
    Fingerprint stored = of(members(500, 250));
    assertThat(stored.memberSketchBytes())
        .isBetween(Fingerprint.MAX_SKETCH_BYTES - 16, Fingerprint.MAX_SKETCH_BYTES);
    assertThat(SketchDiff.differing(stored, of(members(500, 3)))).containsExactly("/k1003");
    assertThat(SketchDiff.differing(stored, of(members(500, 251)))).isEmpty();
    // The last known member of one is the border: what comes after is not called missing.
    assertThat(SketchDiff.differing(stored, of("{\"k1000\":0}"))).hasSizeGreaterThan(50);
    assertThat(SketchDiff.differing(of(members(20, 0)), stored))
        .contains("/k1000", "/k1020")
        .doesNotContain("/k1019", "/k1499");
  }

  @Test
  void leavesOutLongNames() {
    String name = "n".repeat(129);
    byte[] alone = of("{\"a\":1}").memberSketch();
    assertThat(of("{\"" + name + "\":1,\"a\":1}").memberSketch()).isEqualTo(alone);
    assertThat(of("{\"" + "n".repeat(128) + "\":1,\"a\":1}").memberSketch()).isNotEqualTo(alone);
  }

  @Test
  void holdsNoValues() {
    String text =
        new String(of("{\"card\":\"4242424242\"}").memberSketch(), StandardCharsets.ISO_8859_1);
    assertThat(text).contains("card").doesNotContain("4242");
  }

  @SeededTest
  void toleratesAnyBytes(Random random) {
    byte[] one = new byte[random.nextInt(65)];
    byte[] other = new byte[random.nextInt(65)];
    random.nextBytes(one);
    random.nextBytes(other);
    assertThatCode(() -> SketchDiff.differing(sketched(one), sketched(other)))
        .doesNotThrowAnyException();
    byte[] whole = of(members(4, 0)).memberSketch();
    Fingerprint cut = sketched(Arrays.copyOf(whole, one.length % whole.length));
    assertThatCode(() -> SketchDiff.differing(cut, of(members(4, 1)))).doesNotThrowAnyException();
  }

  /** Members k1000 and so on, all 0 but one that is 1. */
  private static String members(int count, int odd) {
    StringBuilder json = new StringBuilder("{");
    for (int i = 0; i < count; i++) {
      json.append(i == 0 ? "" : ",").append("\"k").append(1000 + i).append("\":");
      json.append(i == odd ? 1 : 0);
    }
    return json.append('}').toString();
  }

  private static Fingerprint of(String body) {
    return Fingerprints.of("POST", "/a", "", "application/json", body);
  }

  private static Fingerprint sketched(byte[] memberSketch) {
    return Fingerprint.of(new byte[Fingerprint.HASH_BYTES], memberSketch);
  }
}
