package dev.latchkey.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.load.KeyAnswers.Kind;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyAnswersTest {

  private final KeyAnswers keys = new KeyAnswers();

  private static AttemptEnd.Answered answer(
      boolean replayed, long sent, long answered, String body) {
    return new AttemptEnd.Answered(
        201,
        replayed,
        Optional.empty(),
        MultiMap.caseInsensitiveMultiMap(),
        Buffer.buffer(body),
        sent,
        answered);
  }

  private static AttemptEnd.Answered answer(int status, String... headers) {
    MultiMap map = MultiMap.caseInsensitiveMultiMap();
    for (int i = 0; i < headers.length; i += 2) {
      map.add(headers[i], headers[i + 1]);
    }
    return new AttemptEnd.Answered(status, true, Optional.empty(), map, Buffer.buffer("{}"), 1, 2);
  }

  @Test
  void theFirstAnswerDividesParkedFromReplayed() {
    String body = "{\"id\":\"pay_1\"}";
    assertThat(keys.note(0, answer(false, 10, 100, body)).kind()).isEqualTo(Kind.FIRST);

    KeyAnswers.Noted parked = keys.note(0, answer(true, 99, 130, body));
    assertThat(parked.kind()).isEqualTo(Kind.PARKED);
    assertThat(parked.wakeNanos()).hasValue(30);

    assertThat(keys.note(0, answer(true, 100, 140, body)).kind()).isEqualTo(Kind.REPLAYED);
    assertThat(keys.differ(0)).isFalse();
    assertThat(keys.ranTwice(0)).isFalse();
  }

  @Test
  void aDuplicateThatIsAnsweredBeforeItsOwnerIsParkedButWasNotWokenByAnAnswer() {
    KeyAnswers.Noted earliest = keys.note(0, answer(true, 10, 100, "{}"));

    assertThat(earliest.kind()).isEqualTo(Kind.PARKED);
    assertThat(earliest.wakeNanos()).isEmpty();
    assertThat(keys.note(0, answer(false, 5, 101, "{}")).kind()).isEqualTo(Kind.FIRST);
    assertThat(keys.ranTwice(0)).isFalse();
  }

  @Test
  void aByteOfDifferenceIsNoticedAndOtherKeysAreLeftAlone() {
    keys.note(0, answer(false, 1, 2, "{\"id\":\"pay_1\"}"));
    keys.note(1, answer(false, 1, 2, "{\"id\":\"pay_2\"}"));
    keys.note(0, answer(true, 1, 2, "{\"id\":\"pay_1\" }"));

    assertThat(keys.differ(0)).isTrue();
    assertThat(keys.differ(1)).isFalse();
    assertThat(keys.differing()).isEqualTo(1);
  }

  @Test
  void theStatusIsPartOfTheAnswer() {
    keys.note(0, answer(false, 1, 2, "{}"));
    keys.note(0, answer(200));

    assertThat(keys.differ(0)).isTrue();
  }

  @Test
  void headersArePartOfTheAnswerInAnyOrderAndCase() {
    keys.note(0, answer(201, "ETag", "1", "Link", "a", "Link", "b"));
    keys.note(0, answer(201, "link", "a", "link", "b", "etag", "1"));
    assertThat(keys.differ(0)).isFalse();

    keys.note(0, answer(201, "ETag", "1", "Link", "b", "Link", "a"));
    assertThat(keys.differ(0)).as("values of one name in another order").isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "ETag, true",
    "Location, true",
    "Content-Type, true",
    "Idempotency-Key, true",
    "Idempotency-Expires, true",
    "Date, false",
    "Connection, false",
    "Transfer-Encoding, false",
    "Content-Length, false",
    "Idempotent-Replayed, false",
    "Preference-Applied, false",
    "Traceparent, false",
    "X-Request-ID, false",
    "Set-Cookie, false",
    "WWW-Authenticate, false",
    "Server, false",
    "Via, false",
    "Alt-Svc, false"
  })
  void aHeaderCountsUnlessItBelongsToTheMomentOrTheConnection(String name, boolean counts) {
    keys.note(0, answer(201, name, "1"));
    keys.note(0, answer(201, name, "2"));
    keys.note(1, answer(201, name, "1"));
    keys.note(1, answer(201));

    assertThat(keys.differ(0)).isEqualTo(counts);
    assertThat(keys.differ(1)).as("left out").isEqualTo(counts);
  }

  @ParameterizedTest
  @ValueSource(strings = {"amount", "currency", "status", "psp_charge"})
  void itRemembersWhatACallerReliesOn(String member) {
    JsonObject payment =
        new JsonObject().put("id", "pay_1").put("amount", 1).put("currency", "EUR");
    payment.put("status", "succeeded").put("psp_charge", "ch_1").put("version", 1);
    keys.note(0, answer(false, 1, 2, payment.encode()));

    assertThat(keys.hasTerms(0, payment.copy().put("version", 2))).isTrue();
    assertThat(keys.hasTerms(0, payment.copy().put(member, "another"))).isFalse();
  }

  @Test
  void twoAnswersThatAreNotMarkedAreOneTooMany() {
    keys.note(0, answer(false, 1, 2, "{}"));
    keys.note(0, answer(false, 1, 2, "{}"));

    assertThat(keys.ranTwice(0)).isTrue();
    assertThat(keys.ranTwice(1)).isFalse();
  }

  @Test
  void itRemembersWhichPaymentTheAnswerWasAbout() {
    keys.note(0, answer(false, 1, 2, "{\"id\":\"pay_1\"}"));
    keys.note(1, answer(false, 1, 2, "not json"));

    assertThat(keys.isAbout(0, "pay_1")).isTrue();
    assertThat(keys.isAbout(0, "pay_2")).isFalse();
    assertThat(keys.isAbout(1, "pay_1")).isFalse();
  }
}
