package dev.latchkey.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** That a replay is what was answered first, and that another request never gets it. */
interface ReplayContract extends HttpContract {

  @ParameterizedTest
  @ValueSource(strings = {"33554432", "0"})
  default void aReplayIsTheSameToTheByte(String cacheBytes) {
    Node node = serve("--replay-cache", cacheBytes);
    Call call =
        node.pay()
            .key(Scene.newKey())
            .json(Call.VISA.replace("}", ",\"description\":\"\\u00e9\\ud83d\\ude00 \\n\"}"));
    Answer first = call.send().expect(201);

    for (Answer again : List.of(call.send(), call.send())) {
      assertThat(again.lasting()).isEqualTo(first.lasting());
      assertThat(again.body()).isEqualTo(first.body());
      assertThat(again.all("Idempotent-Replayed")).containsExactly("true");
    }
    assertThat(first.header("Location")).hasValue("/v1/payments/" + first.id());
    assertThat(first.isReplayed()).isFalse();
  }

  @Test
  default void theSameRequestInOtherWordsIsReplayed() {
    Node node = serve();
    String key = Scene.newKey();
    Answer first = node.pay().key(key).send().expect(201);

    Answer again =
        node.pay()
            .key(key)
            .body(
                "application/json; charset=utf-8",
                Buffer.buffer(
                    " {\"payment_method\":\"pm_card_visa\",\n\"currency\":\"EUR\","
                        + "\"amount\":1000}"))
            .send();

    assertThat(again.lasting()).isEqualTo(first.lasting());
    assertThat(again.isReplayed()).isTrue();
  }

  @Test
  default void aClientCannotFakeTheReplayMark() {
    Node node = serve();
    Call call = node.pay().key(Scene.newKey()).header("Idempotent-Replayed", "true");

    assertThat(call.send().expect(201).all("Idempotent-Replayed")).isEmpty();
    assertThat(call.send().expect(201).all("Idempotent-Replayed")).containsExactly("true");
    Answer refused = node.pay().header("Idempotent-Replayed", "true").send();
    assertThat(refused.all("Idempotent-Replayed")).isEmpty();
  }

  @Test
  default void anotherRequestIsToldWhatDiffersByNameAndNeverByValue() {
    Node node = serve();
    String key = Scene.newKey();
    node.pay()
        .key(key)
        .json(Call.VISA.replace("}", ",\"customer\":\"a~/b\",\"metadata\":{\"n\":\"secret-1\"}}"))
        .send()
        .expect(201);

    Answer refused =
        node.pay()
            .key(key)
            .json(
                Call.VISA
                    .replace("1000", "77123")
                    .replace(
                        "}", ",\"description\":\"secret-3\",\"metadata\":{\"n\":\"secret-2\"}}"))
            .send();

    JsonObject problem = refused.expectProblem(422, "idempotency-key-reused");
    assertThat(problem.getJsonArray("differing"))
        .containsExactlyInAnyOrder("/amount", "/customer", "/description", "/metadata");
    assertThat(refused.body().toString()).doesNotContain("secret", "77123", "a~/b");
  }

  /** The bytes of the body count where one of two requests has none: no body is not {@code {}}. */
  @ParameterizedTest
  @CsvSource({"capture, ''", "capture, {}", "cancel, ''", "cancel, {}"})
  default void noBodyAndAnEmptyObjectDoTheSameAndAreTwoRequests(String action, String body) {
    Node node = serve();
    String key = Scene.newKey();
    Call create = node.pay().key(key).json(Call.VISA.replace("}", ",\"capture\":false}"));
    String path = "/v1/payments/" + create.send().expect(201).id() + "/" + action;
    Call bare = node.post(path).key(key);
    Call empty = node.post(path).key(key).json("{}");

    Answer first = (body.isEmpty() ? bare : empty).send().expect(200);

    (body.isEmpty() ? empty : bare).send().expectProblem(422, "idempotency-key-reused");
    assertThat((body.isEmpty() ? bare : empty).send().lasting()).isEqualTo(first.lasting());
    assertThat(first.json().getString("status"))
        .isEqualTo(action.equals("capture") ? "succeeded" : "canceled");
  }

  @Test
  default void aDeclineLeavesNoPaymentAndIsFinal() {
    Node node = serve();
    String key = Scene.newKey();
    Call call = node.pay().key(key).by("pm_card_insufficient_funds");
    Answer first = call.send();

    assertThat(first.expectProblem(402, "card-declined").getString("decline_code"))
        .isEqualTo("insufficient_funds");
    assertThat(call.send().lasting()).isEqualTo(first.lasting());
    assertThat(paymentsOf(node, key)).isZero();
    assertThat(scene().pspStats().declined()).isEqualTo(1);
  }

  @Test
  default void anUnavailablePspReleasesTheKeyForTheSameRequest() {
    Node node = serve();
    String key = Scene.newKey();
    Call call = node.pay().key(key);
    node.psp().refuseNext();
    Answer refused = call.send();

    assertThat(refused.expectProblem(503, "psp-unavailable").getBoolean("retryable")).isTrue();
    assertThat(refused.isReplayed()).isFalse();
    assertThat(paymentsOf(node, key)).isZero();
    assertThat(call.send().expect(201).isReplayed()).isFalse();
    assertThat(call.send().expect(201).isReplayed()).isTrue();
    assertThat(scene().pspStats().charges()).isEqualTo(1);
    assertThat(paymentsOf(node, key)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pm_psp_flaky", "pm_psp_lost_reply"})
  default void aPspThatStumblesChargesOnce(String paymentMethod) {
    Node node = serve();
    String key = Scene.newKey();
    Call call = node.pay().key(key).by(paymentMethod);
    Answer first = call.send();
    if (first.status() == 503 && paymentMethod.equals("pm_psp_flaky")) {
      first = call.send();
    }

    assertThat(call.send().lasting()).isEqualTo(first.expect(201).lasting());
    assertThat(scene().pspStats().charges()).isEqualTo(1);
    assertThat(scene().pspStats().maxChargesPerKey()).isEqualTo(1);
    assertThat(paymentsOf(node, key)).isEqualTo(1);
  }

  private static int paymentsOf(Node node, String key) {
    Answer list = node.get("/v1/payments?idempotency_key=" + key).send().expect(200);
    return list.json().getJsonArray("data").size();
  }
}
