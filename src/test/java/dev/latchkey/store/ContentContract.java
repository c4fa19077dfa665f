package dev.latchkey.store;

import static dev.latchkey.core.spi.IdempotencyStore.MAX_STEPS;
import static dev.latchkey.core.spi.IdempotencyStore.MAX_STEP_BYTES;
import static dev.latchkey.core.spi.IdempotencyStore.MAX_STEP_NAME_CHARS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StepResult;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponse.Header;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is kept comes back as it was, up to the limits. */
public interface ContentContract extends StoreContract {

  /** Stores a response and checks that a claim and a lookup return it. */
  default void assertKept(StoredResponse response) {
    Attempt owner = Attempt.atNewKey();
    store().claimed(owner);
    store().complete(owner, response);

    assertThat(((ClaimResult.Completed) store().claim(owner.retried())).response())
        .isEqualTo(response);
    assertThat(((KeyState.Completed) store().lookup(owner)).response()).isEqualTo(response);
  }

  /** Bytes of a given number, including all 256 values. */
  static Buffer binary(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) i;
    }
    return Buffer.buffer(bytes);
  }

  @Test
  default void everyByteOfABodyIsKept() {
    assertKept(StoredResponse.of(200, List.of(), binary(256)));
  }

  @Test
  default void emptyBodyIsKept() {
    assertKept(StoredResponse.of(204, List.of(), Buffer.buffer()));
  }

  @Test
  default void largeBodyIsKept() {
    assertKept(StoredResponse.of(200, List.of(), binary(1024 * 1024)));
  }

  @Test
  default void headersAreKeptInOrderWithAllTheirValuesAndTrailers() {
    assertKept(
        new StoredResponse(
            true,
            200,
            List.of(
                new Header("Link", "</a>; rel=\"next\""),
                new Header("X-Empty", ""),
                new Header("link", "</b>, </c>"),
                new Header("X-Text", "caf\u00e9 \u20ac \ud83d\ude00"),
                new Header("Link", "</a>; rel=\"next\"")),
            Buffer.buffer("x"),
            List.of(new Header("Digest", "1"), new Header("Digest", "2"))));
  }

  @Test
  default void responseThatWasNotRetainedIsMarked() {
    assertKept(StoredResponse.notRetained(201, Optional.of("/v1/things/1")));
    assertKept(StoredResponse.notRetained(200, Optional.empty()));
  }

  @Test
  default void longestKeyIsKept() {
    Attempt longest =
        Attempt.at(
            new ScopedKey(
                "t".repeat(ScopedKey.MAX_TENANT_CHARS),
                "r".repeat(ScopedKey.MAX_ROUTE_CHARS),
                ("" + Attempt.newToken() + "k".repeat(ScopedKey.MAX_KEY_CHARS))
                    .substring(0, ScopedKey.MAX_KEY_CHARS)));
    store().claimed(longest);

    assertThat(store().lookup(longest)).isInstanceOf(KeyState.InProgress.class);
  }

  @Test
  default void stepsAreKeptBinaryAndByName() {
    Attempt owner = Attempt.atNewKey();
    store().claimed(owner);
    assertThat(store().step(owner, "a", binary(256))).isEqualTo(StepResult.RECORDED);
    assertThat(store().step(owner, "b'\"\u20ac", Buffer.buffer())).isEqualTo(StepResult.RECORDED);
    store().released(owner);

    assertThat(store().claimed(owner.retried()).steps())
        .isEqualTo(Map.of("a", binary(256), "b'\"\u20ac", Buffer.buffer()));
  }

  @Test
  default void repeatedStepKeepsItsFirstResult() {
    Attempt owner = Attempt.atNewKey();
    store().claimed(owner);
    store().step(owner, "charge", "first");

    assertThat(store().step(owner, "charge", "second")).isEqualTo(StepResult.RECORDED);

    assertThat(store().claimed(owner).steps().get("charge")).hasToString("first");
  }

  @Test
  default void stepsAreBoundedInNumberOverAllAttempts() {
    Attempt first = Attempt.atNewKey();
    store().claimed(first);
    for (int i = 0; i < MAX_STEPS - 1; i++) {
      assertThat(store().step(first, "step " + i, "x")).isEqualTo(StepResult.RECORDED);
    }
    store().released(first);
    Attempt second = first.retried();
    store().claimed(second);
    assertThat(store().step(second, "last", "x")).isEqualTo(StepResult.RECORDED);

    assertThat(store().step(second, "one more", "x")).isEqualTo(StepResult.TOO_MANY);
    assertThat(store().step(second, "last", "y")).isEqualTo(StepResult.RECORDED);
    assertThat(store().claimed(second).steps()).hasSize(MAX_STEPS).doesNotContainKey("one more");
    store().completed(second);
  }

  @Test
  default void stepsAreBoundedInSize() {
    Attempt owner = Attempt.atNewKey();
    store().claimed(owner);

    assertThat(store().step(owner, "fits", binary(MAX_STEP_BYTES))).isEqualTo(StepResult.RECORDED);
    assertThat(store().step(owner, "too long", binary(MAX_STEP_BYTES + 1)))
        .isEqualTo(StepResult.TOO_MANY);

    assertThat(store().claimed(owner).steps()).isEqualTo(Map.of("fits", binary(MAX_STEP_BYTES)));
  }

  @Test
  default void namesOfStepsAreBounded() {
    Attempt owner = Attempt.atNewKey();
    store().claimed(owner);
    String longest = "n".repeat(MAX_STEP_NAME_CHARS);
    assertThat(store().step(owner, longest, "x")).isEqualTo(StepResult.RECORDED);

    for (String wrong : List.of("", longest + "n")) {
      assertThatThrownBy(() -> store().step(owner, wrong, "x"))
          .isInstanceOfSatisfying(
              StoreException.class,
              refused -> assertThat(refused.outcome()).isEqualTo(StoreException.Outcome.NOT_DONE));
    }
    assertThat(store().claimed(owner).steps()).containsOnlyKeys(longest);
  }

  @Test
  default void laterChangesByTheCallerAreNotStored() {
    Attempt owner = Attempt.atNewKey();
    store().claimed(owner);
    Buffer result = Buffer.buffer("before");
    store().step(owner, "charge", result);
    result.setString(0, "after!");

    assertThat(store().claimed(owner).steps().get("charge")).hasToString("before");
  }
}
