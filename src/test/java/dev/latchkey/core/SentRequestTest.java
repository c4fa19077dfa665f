package dev.latchkey.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class SentRequestTest {

  private static final Object HANDLER = new Object();

  @Test
  void theSameBytesAreTheSameRequest() {
    assertThat(sent("{\"a\":1}", "POST", "/x?a=b", "application/json", null))
        .satisfies(
            one ->
                assertThat(
                        one.isSame(
                            sent(
                                "{\"a\":1}",
                                new String("POST"),
                                "/x?a=b",
                                "application/json",
                                null)))
                    .isTrue());
  }

  @Test
  void whateverDiffersMakesAnotherRequest() {
    List<SentRequest> all = new ArrayList<>();
    all.add(sent("{}", "POST", "/x", "application/json", null));
    all.add(sent("{ }", "POST", "/x", "application/json", null));
    all.add(sent("", "POST", "/x", "application/json", null));
    all.add(sent("{}", "PUT", "/x", "application/json", null));
    all.add(sent("{}", "POST", "/X", "application/json", null));
    all.add(sent("{}", "POST", "/x?", "application/json", null));
    all.add(sent("{}", "POST", "/x", "application/JSON", null));
    all.add(sent("{}", "POST", "/x", null, "application/json"));
    all.add(sent("{}", "POST", "/x", "application/json", ""));
    all.add(sent("{}", "POST", "/x", "application/json", "identity"));
    all.add(sent("n{}", "POST", "/x", "application/jso", null));
    all.add(sent("{}", "POS", "T/x", "application/json", null));
    all.add(
        SentRequest.of(
                new Object(),
                Buffer.buffer("{}"),
                Arrays.asList("POST", "/x", "application/json", null))
            .orElseThrow());

    for (int i = 0; i < all.size(); i++) {
      for (int k = 0; k < all.size(); k++) {
        assertThat(all.get(i).isSame(all.get(k))).as(i + " and " + k).isEqualTo(i == k);
      }
    }
  }

  @Property(tries = 500)
  void isTheSameExactlyWhenAllPartsAre(
      @ForAll @Size(4) List<@StringLength(max = 2) @CharRange(from = 'a', to = 'b') String> one,
      @ForAll @Size(4) List<@StringLength(max = 2) @CharRange(from = 'a', to = 'b') String> other) {
    boolean same = one.equals(other);
    assertThat(
            sent(one.get(0), one.get(1), one.get(2), one.get(3))
                .isSame(sent(other.get(0), other.get(1), other.get(2), other.get(3))))
        .isEqualTo(same);
  }

  @Test
  void whatIsLongOrWideIsNotKept() {
    int room = SentRequest.MAX_BYTES - 2;
    assertThat(SentRequest.of(HANDLER, Buffer.buffer(new byte[room]), List.of(""))).isPresent();
    assertThat(SentRequest.of(HANDLER, Buffer.buffer(new byte[room + 1]), List.of(""))).isEmpty();
    assertThat(SentRequest.of(HANDLER, Buffer.buffer(), List.of("x".repeat(room + 1)))).isEmpty();
    assertThat(SentRequest.of(HANDLER, Buffer.buffer(), List.of("/\u00ff"))).isPresent();
    assertThat(SentRequest.of(HANDLER, Buffer.buffer(), List.of("/\u0100"))).isEmpty();
  }

  @Test
  void keepsItsOwnCopyOfTheBody() {
    Buffer body = Buffer.buffer("{}");
    Optional<SentRequest> before = SentRequest.of(HANDLER, body, List.of("POST"));
    body.setByte(0, (byte) '[');

    assertThat(before.orElseThrow().isSame(sent("{}", "POST"))).isTrue();
  }

  @Test
  void weighsWhatItHolds() {
    Set<Long> weights = new HashSet<>();
    for (int bytes : new int[] {0, 100}) {
      weights.add(sent("x".repeat(bytes), "POST").weightBytes() - bytes);
    }
    assertThat(weights).hasSize(1).allMatch(fixed -> fixed >= 40);
  }

  static SentRequest sent(String body, String... parts) {
    return SentRequest.of(HANDLER, Buffer.buffer(body), Arrays.asList(parts)).orElseThrow();
  }
}
