package dev.latchkey.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.load.KeyResponses.Kind;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyResponsesTest {

  private final KeyResponses keys = new KeyResponses();

  private static LoadResponse response(boolean replayed, long sent, long end, String body) {
    MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    if (replayed) {
      headers.add("Idempotent-Replayed", "true");
    }
    return new LoadResponse(201, headers, Buffer.buffer(body), sent, end);
  }

  private static LoadResponse response(int status, String... headers) {
    MultiMap map = MultiMap.caseInsensitiveMultiMap().add("Idempotent-Replayed", "true");
    for (int i = 0; i < headers.length; i += 2) {
      map.add(headers[i], headers[i + 1]);
    }
    return new LoadResponse(status, map, Buffer.buffer("{}"), 1, 2);
  }

  @Test
  void firstResponseSeparatesParkedFromReplayed() {
    String body = "{\"id\":\"pay_1\"}";
    assertThat(keys.add(0, response(false, 10, 100, body)).kind()).isEqualTo(Kind.FIRST);

    KeyResponses.Observation parked = keys.add(0, response(true, 99, 130, body));
    assertThat(parked.kind()).isEqualTo(Kind.PARKED);
    assertThat(parked.wakeNanos()).hasValue(30);

    assertThat(keys.add(0, response(true, 100, 140, body)).kind()).isEqualTo(Kind.REPLAYED);
    assertThat(keys.differ(0)).isFalse();
    assertThat(keys.executedTwice(0)).isFalse();
  }

  @Test
  void duplicateBeforeItsOwnerIsParkedWithoutWakeLatency() {
    KeyResponses.Observation first = keys.add(0, response(true, 10, 100, "{}"));

    assertThat(first.kind()).isEqualTo(Kind.PARKED);
    assertThat(first.wakeNanos()).isEmpty();
    assertThat(keys.add(0, response(false, 5, 101, "{}")).kind()).isEqualTo(Kind.FIRST);
    assertThat(keys.executedTwice(0)).isFalse();
  }

  @Test
  void oneByteMakesResponsesOfAKeyDiffer() {
    keys.add(0, response(false, 1, 2, "{\"id\":\"pay_1\"}"));
    keys.add(1, response(false, 1, 2, "{\"id\":\"pay_2\"}"));
    keys.add(0, response(true, 1, 2, "{\"id\":\"pay_1\" }"));

    assertThat(keys.differ(0)).isTrue();
    assertThat(keys.differ(1)).isFalse();
    assertThat(keys.differing()).isEqualTo(1);
  }

  @Test
  void statusIsCompared() {
    keys.add(0, response(false, 1, 2, "{}"));
    keys.add(0, response(200));

    assertThat(keys.differ(0)).isTrue();
  }

  @Test
  void headersAreComparedInAnyOrderAndCase() {
    keys.add(0, response(201, "ETag", "1", "Link", "a", "Link", "b"));
    keys.add(0, response(201, "link", "a", "link", "b", "etag", "1"));
    assertThat(keys.differ(0)).isFalse();

    keys.add(0, response(201, "ETag", "1", "Link", "b", "Link", "a"));
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
  void onlyStoredHeadersAreCompared(String name, boolean counts) {
    keys.add(0, response(201, name, "1"));
    keys.add(0, response(201, name, "2"));
    keys.add(1, response(201, name, "1"));
    keys.add(1, response(201));

    assertThat(keys.differ(0)).isEqualTo(counts);
    assertThat(keys.differ(1)).as("left out").isEqualTo(counts);
  }

  @ParameterizedTest
  @ValueSource(strings = {"amount", "currency", "status", "psp_charge"})
  void termsOfThePaymentAreCompared(String member) {
    JsonObject payment =
        new JsonObject().put("id", "pay_1").put("amount", 1).put("currency", "EUR");
    payment.put("status", "succeeded").put("psp_charge", "ch_1").put("version", 1);
    keys.add(0, response(false, 1, 2, payment.encode()));

    assertThat(keys.hasTerms(0, payment.copy().put("version", 2))).isTrue();
    assertThat(keys.hasTerms(0, payment.copy().put(member, "another"))).isFalse();
  }

  @Test
  void twoUnmarkedResponsesAreTwoExecutions() {
    keys.add(0, response(false, 1, 2, "{}"));
    keys.add(0, response(false, 1, 2, "{}"));

    assertThat(keys.executedTwice(0)).isTrue();
    assertThat(keys.executedTwice(1)).isFalse();
  }

  @Test
  void paymentOfTheResponseIsCompared() {
    keys.add(0, response(false, 1, 2, "{\"id\":\"pay_1\"}"));
    keys.add(1, response(false, 1, 2, "not json"));

    assertThat(keys.shows(0, "pay_1")).isTrue();
    assertThat(keys.shows(0, "pay_2")).isFalse();
    assertThat(keys.shows(1, "pay_1")).isFalse();
  }
}
