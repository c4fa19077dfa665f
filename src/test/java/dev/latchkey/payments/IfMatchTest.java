package dev.latchkey.payments;

import static dev.latchkey.ledger.LedgerFixtures.payment;
import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import dev.latchkey.ledger.Metadata;
import dev.latchkey.ledger.PaymentAmendment;
import dev.latchkey.ledger.memory.MemoryLedger;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.psp.PspResult;
import dev.latchkey.psp.PspResult.Approved;
import dev.latchkey.psp.PspResult.PspCharge;
import dev.latchkey.store.memory.MemoryStore;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.web.IdempotencyNode;
import dev.latchkey.web.IdempotencyOptions;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code If-Match} and other conditions on keyed calls. */
class IfMatchTest {

  private static final String CAPTURE = "/v1/payments/pay_1/capture";

  private final MemoryBudget budget = new MemoryBudget(1 << 30);
  private final MemoryLedger ledger = new MemoryLedger(budget);
  private final ScriptedPsp psp = new ScriptedPsp();
  private final HttpClient client = HttpClient.newHttpClient();
  private Vertx vertx;
  private IdempotencyNode node;
  private String base;

  @BeforeEach
  void open() {
    vertx = TestVertx.create();
    node = IdempotencyNode.create(vertx, MemoryStore.create(budget, ledger));
    Router router = Router.router(vertx);
    router.route().handler(node.capture());
    PaymentsOptions options =
        PaymentsOptions.of(
            new IdempotencyOptions(), ctx -> "default", 10_000, "pm_card_visa"::equals);
    new PaymentsApi(ledger, psp, node, options).mount(router);
    HttpServer server =
        await(vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"));
    base = "http://127.0.0.1:" + server.actualPort();
    ledger.apply(List.of(new InsertPayment(payment("default", "pay_1", 100, 0))));
  }

  @AfterEach
  void close() {
    node.close();
    await(vertx.close());
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"1\"", "*", "\"7\", \"1\""})
  void aMatchIsCarriedOut(String ifMatch) throws Exception {
    psp.answers(captured());

    assertThat(post(CAPTURE, "k", "If-Match", ifMatch).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"capture", "cancel", "refunds"})
  void aMismatchIsFinalAndNeverReachesThePsp(String call) throws Exception {
    String path = "/v1/payments/pay_1/" + call;

    assertProblem(post(path, "k", "If-Match", "\"2\""), 412, "precondition-failed");
    HttpResponse<String> retried = post(path, "k", "If-Match", "\"2\"");

    assertProblem(retried, 412, "precondition-failed");
    assertThat(retried.headers().firstValue("Idempotent-Replayed")).contains("true");
    assertThat(psp.calls).isEmpty();
  }

  @Test
  void theConditionIsPartOfTheRequest() throws Exception {
    psp.answers(captured());
    post(CAPTURE, "k", "If-Match", "\"1\"");

    assertProblem(post(CAPTURE, "k", "If-Match", "*"), 422, "idempotency-key-reused");
    assertProblem(post(CAPTURE, "k", "X-Other", "1"), 422, "idempotency-key-reused");
  }

  @Test
  void aRetryAfterThePspWasAskedDoesNotCompareAgain() throws Exception {
    psp.answers(new PspResult.Unavailable("lost"), this::amend).answers(captured());

    assertProblem(post(CAPTURE, "k", "If-Match", "\"1\""), 503, "psp-unavailable");
    HttpResponse<String> retried = post(CAPTURE, "k", "If-Match", "\"1\"");

    assertThat(retried.statusCode()).isEqualTo(200);
    assertThat(new JsonObject(retried.body()).getInteger("version")).isEqualTo(3);
  }

  @Test
  void anUnknownPaymentIsNotFound() throws Exception {
    HttpResponse<String> response = post("/v1/payments/pay_2/capture", "k", "If-Match", "\"1\"");

    assertProblem(response, 404, "not-found");
  }

  @ParameterizedTest
  @CsvSource({
    CAPTURE + ", If-Match, 1",
    CAPTURE + ", If-Match, ''",
    CAPTURE + ", If-None-Match, *",
    CAPTURE + ", If-Unmodified-Since, 'Mon, 23 Nov 2026 10:00:00 GMT'",
    "/v1/payments/pay_1/cancel, If-Modified-Since, x",
    "/v1/payments/pay_1/refunds, If-Range, x",
    "/v1/payments, If-Match, *",
    "/v1/payments, If-None-Match, *"
  })
  void otherConditionsAreRejectedBeforeTheClaim(String path, String name, String value)
      throws Exception {
    assertProblem(post(path, "k", name, value), 400, "invalid-request");

    assertThat(await(node.records("default", "k"))).isEmpty();
  }

  private void amend() {
    await(
        ledger.amendPayment(
            new PaymentAmendment("default", "pay_1", 1, Optional.of("x"), Metadata.NONE, 5)));
  }

  private static Approved captured() {
    return new Approved(
        new PspCharge("ch_pay_1", 100, "EUR", "captured", 100, 0), Optional.empty());
  }

  private HttpResponse<String> post(String path, String key, String name, String value)
      throws Exception {
    String body =
        path.equals("/v1/payments")
            ? "{\"amount\":1,\"currency\":\"EUR\",\"payment_method\":\"pm_card_visa\"}"
            : "{}";
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base + path))
            .header("Idempotency-Key", key)
            .header("Content-Type", "application/json")
            .header(name, value)
            .POST(BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  private static void assertProblem(HttpResponse<String> response, int status, String name) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(new JsonObject(response.body()).getString("type")).isEqualTo("/problems/" + name);
  }
}
