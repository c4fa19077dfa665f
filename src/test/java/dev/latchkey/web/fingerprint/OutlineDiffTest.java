package dev.latchkey.web.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.latchkey.core.spi.Outline;
import dev.latchkey.web.fingerprint.FingerprintBuilder.Fingerprinted;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class OutlineDiffTest {

  @Test
  void namesWhatWasChangedAddedAndRemoved() {
    Outline stored = outline("{\"same\":1,\"changed\":[1],\"gone\":null}");
    Outline now = outline("{\"added\":{},\"changed\":[2],\"same\":1.0}");
    assertThat(OutlineDiff.differing(stored, now)).containsExactly("/added", "/changed", "/gone");
    assertThat(OutlineDiff.differing(stored, stored)).isEmpty();
  }

  @Test
  void escapesNames() {
    assertThat(OutlineDiff.differing(outline("{}"), outline("{\"a/b~c\":1,\"\":2}")))
        .containsExactly("/", "/a~1b~0c");
  }

  @Test
  void namesTheDocumentWhereItIsNoObject() {
    assertThat(OutlineDiff.differing(outline("[1]"), outline("[2]"))).containsExactly("");
    assertThat(OutlineDiff.differing(outline("[1]"), outline("[1.0]"))).isEmpty();
    assertThat(OutlineDiff.differing(outline("[]"), outline("{}"))).containsExactly("");
    assertThat(OutlineDiff.differing(outline(""), outline("{}"))).containsExactly("");
    assertThat(OutlineDiff.differing(outline(""), outline(""))).isEmpty();
  }

  @Test
  void saysNothingWhereNothingIsKnown() {
    assertThat(OutlineDiff.differing(Outline.EMPTY, outline("{\"a\":1}"))).isEmpty();
    assertThat(OutlineDiff.differing(outline("{\"a\":1}"), Outline.EMPTY)).isEmpty();
    Outline later = Outline.of(new byte[] {2, 2, 1, 'a', 0, 0, 0, 0, 0, 0, 0, 0});
    assertThat(OutlineDiff.differing(later, outline("{\"a\":1}"))).isEmpty();
  }

  @Test
  void staysWithinItsBoundAndComparesAsFarAsBothGo() {
    Outline stored = outline(members(500, 250));
    assertThat(stored.toBytes().length).isBetween(Outline.MAX_BYTES - 16, Outline.MAX_BYTES);
    assertThat(OutlineDiff.differing(stored, outline(members(500, 3)))).containsExactly("/k1003");
    assertThat(OutlineDiff.differing(stored, outline(members(500, 251)))).isEmpty();
    // The last known member of one is the border: what comes after is not called missing.
    assertThat(OutlineDiff.differing(stored, outline("{\"k1000\":0}"))).hasSizeGreaterThan(50);
    assertThat(OutlineDiff.differing(outline(members(20, 0)), stored))
        .contains("/k1000", "/k1020")
        .doesNotContain("/k1019", "/k1499");
  }

  @Test
  void leavesOutLongNames() {
    String name = "n".repeat(129);
    assertThat(outline("{\"" + name + "\":1,\"a\":1}")).isEqualTo(outline("{\"a\":1}"));
    assertThat(outline("{\"" + "n".repeat(128) + "\":1,\"a\":1}"))
        .isNotEqualTo(outline("{\"a\":1}"));
  }

  @Test
  void holdsNoValues() {
    String text =
        new String(outline("{\"card\":\"4242424242\"}").toBytes(), StandardCharsets.ISO_8859_1);
    assertThat(text).contains("card").doesNotContain("4242");
  }

  @Property
  void garbageNeverFails(@ForAll @Size(max = 64) byte[] one, @ForAll @Size(max = 64) byte[] other) {
    assertThatCode(() -> OutlineDiff.differing(Outline.of(one), Outline.of(other)))
        .doesNotThrowAnyException();
    byte[] whole = outline(members(4, 0)).toBytes();
    Outline cut = Outline.of(Arrays.copyOf(whole, one.length % whole.length));
    assertThatCode(() -> OutlineDiff.differing(cut, outline(members(4, 1))))
        .doesNotThrowAnyException();
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

  private static Outline outline(String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    FingerprintBuilder.Result result =
        FingerprintBuilder.build("POST", "/a", "", "application/json", bytes, 64);
    return ((Fingerprinted) result).outline();
  }
}
