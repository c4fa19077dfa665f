package dev.latchkey.http;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.psp.PspResult.PspCharge;
import dev.latchkey.psp.simulator.PspInspection;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many keys at one payment: the PSP's order decides, and the books say the same to the unit. */
interface MoneyRaceContract extends HttpContract {

  @Test
  default void refundsAtOnceNeverExceedThePayment() {
    int refunds = 50;
    int each = 30;
    Node node = serve();
    Answer payment = node.pay().key(scene().key()).send().expect(201);
    String path = "/v1/payments/" + payment.id();

    List<Call.Sent> sent =
        IntStream.range(0, refunds)
            .mapToObj(
                i ->
                    node.post(path + "/refunds")
                        .key(Scene.newKey())
                        .json("{\"amount\":" + each + "}")
                        .begin())
            .toList();

    int refunded = 0;
    for (Call.Sent one : sent) {
      Answer answer = one.answer();
      if (answer.status() == 201) {
        refunded += answer.json().getInteger("amount");
      } else {
        answer.expectProblem(409, "payment-state");
      }
    }
    assertThat(refunded).isEqualTo(1000 / each * each);
    JsonObject then = node.get(path).send().json();
    assertThat(then.getInteger("refunded_amount")).isEqualTo(refunded);
    assertThat(then.getString("status")).isEqualTo("partially_refunded");
    assertAgree(then);
    assertThat(scene().pspStats().refunds()).isEqualTo(1000 / each);
  }

  @Test
  default void theLastRefundOfTheRestFillsIt() {
    Node node = serve();
    Answer payment = node.pay().key(scene().key()).send().expect(201);
    String path = "/v1/payments/" + payment.id();

    List<Call.Sent> sent =
        IntStream.range(0, 20)
            .mapToObj(i -> node.post(path + "/refunds").key(Scene.newKey()).begin())
            .toList();

    List<Answer> answers = sent.stream().map(Call.Sent::answer).toList();
    assertThat(answers.stream().filter(it -> it.status() == 201)).hasSize(1);
    assertThat(answers.stream().filter(it -> it.problem().equals("payment-state"))).hasSize(19);
    JsonObject then = node.get(path).send().json();
    assertThat(then.getString("status")).isEqualTo("refunded");
    assertAgree(then);
  }

  @Test
  default void capturesThatRaceCancelsEndOneWayForPspAndBooks() {
    int payments = 50;
    Node node = serve();
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < payments; i++) {
      Call create = node.pay().key(Scene.newKey());
      create.json(Call.VISA.replace("}", ",\"capture\":false}"));
      paths.add("/v1/payments/" + create.send().expect(201).id());
    }
    List<Call.Sent> captures = new ArrayList<>();
    List<Call.Sent> cancels = new ArrayList<>();
    for (int i = 0; i < payments; i++) {
      Call capture = node.post(paths.get(i) + "/capture").key(Scene.newKey());
      Call cancel = node.post(paths.get(i) + "/cancel").key(Scene.newKey());
      capture.json("{\"amount\":" + (500 + i) + "}");
      boolean captureFirst = i % 2 == 0;
      if (captureFirst) {
        captures.add(capture.begin());
      }
      cancels.add(cancel.begin());
      if (!captureFirst) {
        captures.add(capture.begin());
      }
    }
    for (int i = 0; i < payments; i++) {
      Answer captured = captures.get(i).answer();
      Answer canceled = cancels.get(i).answer();
      assertThat(List.of(captured.status(), canceled.status())).containsExactlyInAnyOrder(200, 409);
      JsonObject then = node.get(paths.get(i)).send().json();
      boolean wasCaptured = captured.status() == 200;
      assertThat(then.getString("status")).isEqualTo(wasCaptured ? "succeeded" : "canceled");
      assertThat(then.getInteger("captured_amount")).isEqualTo(wasCaptured ? 500 + i : 0);
      assertAgree(then);
    }
  }

  /** The PSP says of the charge what the books say of the payment. */
  private void assertAgree(JsonObject payment) {
    PspCharge charge =
        await(PspInspection.charge(scene().simulator(), payment.getString("psp_charge")));
    Map<String, String> statuses =
        Map.of(
            "authorized", "requires_capture",
            "captured", "succeeded",
            "canceled", "canceled",
            "partially_refunded", "partially_refunded",
            "refunded", "refunded");
    assertThat(statuses.get(charge.status())).isEqualTo(payment.getString("status"));
    assertThat(charge.capturedAmount()).isEqualTo(payment.getLong("captured_amount"));
    assertThat(charge.refundedAmount()).isEqualTo(payment.getLong("refunded_amount"));
  }
}
