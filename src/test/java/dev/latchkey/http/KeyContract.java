package dev.latchkey.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a key is written, given back, told from others, and how long it lives. */
interface KeyContract extends HttpContract {

  /** A marker for what makes a key unique. */
  String UNIQUE = "U";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "U            | U         | \"U\"",
        "\"U\"        | U         | \"U\"",
        "\"U a,b;c\"  | U a,b;c   | \"U a,b;c\"",
        "\"U\\\"\\\\\"  | U\"\\     | \"U\\\"\\\\\"",
        "\"U\";p=1;q  | U         | \"U\"",
        "U/:@!$&'()*+= | U/:@!$&'()*+= | \"U/:@!$&'()*+=\"",
      })
  default void theKeyIsGivenBackAsAString(String sent, String meant, String echoed) {
    Node node = serve();
    String unique = Scene.newKey();

    Answer answer = node.pay().key(sent.replace(UNIQUE, unique)).by("pm_card_declined").send();

    JsonObject problem = answer.expectProblem(402, "card-declined");
    assertThat(answer.header("Idempotency-Key")).hasValue(echoed.replace(UNIQUE, unique));
    String key = meant.replace(UNIQUE, unique);
    assertThat(problem.getString("idempotency_key")).isEqualTo(key);
    assertThat(problem.getString("status_url"))
        .isEqualTo("/v1/idempotency-keys/" + percentEncoded(key));
  }

  private static String percentEncoded(String key) {
    return URLEncoder.encode(key, StandardCharsets.US_ASCII)
        .replace("+", "%20")
        .replace("*", "%2A");
  }

  @Test
  default void quotedAndBareAreTheSameKey() {
    Node node = serve();
    String key = Scene.newKey();
    Answer first = node.pay().key(key).send().expect(201);

    Answer second = node.pay().key('"' + key + '"').send();

    assertThat(second.isReplayed()).isTrue();
    assertThat(second.lasting()).isEqualTo(first.lasting());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 255})
  default void keysUpToTheLimitAreTaken(int chars) {
    Node node = serve();
    String key = (Scene.newKey() + "x".repeat(255)).substring(0, chars);

    assertThat(node.pay().key(key).send().status()).isIn(201, 422);
  }

  @Test
  default void theSameKeyOnAnotherRouteIsAnotherKey() {
    Node node = serve();
    String key = Scene.newKey();
    Call create = node.pay().key(key).json(Call.VISA.replace("}", ",\"capture\":false}"));
    Answer payment = create.send().expect(201);
    String path = "/v1/payments/" + payment.id();

    node.post(path + "/capture").key(key).send().expect(200);
    node.post(path + "/refunds").key(key).send().expect(201);

    assertThat(create.send().isReplayed()).isTrue();
    assertThat(scene().pspStats().charges()).isEqualTo(1);
  }

  @Test
  default void thePathIsPartOfTheRequestNotOfTheKey() {
    Node node = serve();
    String key = Scene.newKey();
    node.post("/v1/payments/pay_1/cancel").key(key).send().expectProblem(404, "not-found");

    node.post("/v1/payments/pay_2/cancel")
        .key(key)
        .send()
        .expectProblem(422, "idempotency-key-reused");
  }

  @Test
  default void theExpiryIsTheFirstUseAndTheRetention() {
    Node node = serve("--retention", "36h");
    String key = Scene.newKey();
    Instant before = Instant.now();
    Answer first = node.pay().key(key).send().expect(201);
    Instant after = Instant.now();

    ZonedDateTime expires =
        ZonedDateTime.parse(
            first.header("Idempotency-Expires").orElseThrow(),
            DateTimeFormatter.RFC_1123_DATE_TIME);
    // Whole seconds, by a clock of this machine.
    assertThat(expires.toInstant())
        .isBetween(
            before.plus(Duration.ofHours(36)).minusSeconds(1),
            after.plus(Duration.ofHours(36)).plusSeconds(1));
    assertThat(node.pay().key(key).send().header("Idempotency-Expires"))
        .isEqualTo(first.header("Idempotency-Expires"));
  }

  @Test
  default void anExpiredKeyIsFreeButTheVerySameRequestIsNotChargedAgain() {
    Node node = serve("--retention", "400ms", "--lease", "400ms");
    String key = Scene.newKey();
    Call call = node.pay().key(key);
    Answer first = call.send().expect(201);

    Answer fresh = call.send();
    while (fresh.expect(201).isReplayed()) {
      fresh = call.send();
    }

    assertThat(fresh.id()).isEqualTo(first.id());
    assertThat(scene().pspStats().charges()).isEqualTo(1);
    Answer other = node.pay().key(key).of(2000).send();
    while (other.status() == 422) {
      other = node.pay().key(key).of(2000).send();
    }
    assertThat(other.expect(201).id()).isNotEqualTo(first.id());
    assertThat(scene().pspStats().charges()).isEqualTo(2);
  }
}
