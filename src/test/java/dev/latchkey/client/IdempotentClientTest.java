package dev.latchkey.client;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.latchkey.testing.Await;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.Ports;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdempotentClientTest {

  private static final IdempotentRequest PAYMENT =
      IdempotentRequest.post("/v1/payments", new JsonObject().put("amount", 1));

  private Vertx vertx;
  private ScriptedService service;

  @BeforeEach
  void open() {
    vertx = TestVertx.create();
    service = new ScriptedService(vertx);
  }

  @AfterEach
  void close() {
    await(vertx.close());
  }

  @ParameterizedTest
  @CsvSource({
    "408, x",
    "409, request-in-progress",
    "429, too-many-waiting",
    "503, store-unavailable"
  })
  void retriesWithTheSameKey(int status, String problem) {
    service.thenProblem(status, problem, Map.of()).then(201);

    ClientResponse response = await(client().send(PAYMENT));

    assertThat(response.status()).isEqualTo(201);
    assertThat(response.sends()).isEqualTo(2);
    assertThat(keys()).containsOnly('"' + PAYMENT.key() + '"');
    assertThat(UUID.fromString(PAYMENT.key()).version()).isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource({"400, x", "402, x", "409, payment-state", "422, idempotency-key-reused", "500, x"})
  void otherResponsesAreFinal(int status, String problem) {
    service.thenProblem(status, problem, Map.of());

    ClientResponse response = await(client().send(PAYMENT));

    assertThat(response.status()).isEqualTo(status);
    assertThat(service.requests).hasSize(1);
  }

  @Test
  void anErrorWithRetryAfterIsRetriedAndASuccessIsNot() {
    service
        .thenProblem(500, "internal-error", Map.of("Retry-After", "0"))
        .then(request -> request.response().setStatusCode(202).putHeader("Retry-After", "9").end());

    assertThat(await(client().send(PAYMENT)).status()).isEqualTo(202);
  }

  @Test
  void aLostResponseIsRetried() {
    service.then(request -> request.connection().close()).then(201);

    assertThat(await(client().send(PAYMENT)).status()).isEqualTo(201);
  }

  @Test
  void theNextNodeIsAskedIfOneRefuses() {
    service.then(201);
    List<String> nodes = List.of("http://127.0.0.1:" + Ports.free(), service.url());
    IdempotentClient client = IdempotentClient.create(vertx, nodes, quick());

    assertThat(await(client.send(PAYMENT)).status()).isEqualTo(201);
    assertThat(await(client.send(PAYMENT)).status()).isEqualTo(201);
  }

  @Test
  void theWaitEndsBeforeTheSendDoes() {
    service.then(201);

    await(client(quick().setSendTimeoutMillis(5_500)).send(PAYMENT));
    await(client(quick().setDeadlineMillis(900)).send(PAYMENT));

    assertThat(service.requests)
        .extracting(request -> request.getHeader("Prefer"))
        .containsExactly("wait=4", "wait=0");
  }

  @Test
  void givesUpBeforeADelayThatPassesTheDeadline() {
    service.thenProblem(503, "overloaded", Map.of("Retry-After", "3600"));
    service.then(request -> request.response().end("{\"data\":[]}"));

    GaveUpException failure = failure(client().send(PAYMENT.withKey("order \"7\"")));

    assertThat(failure).hasMessageContaining("no time is left").hasMessageContaining("503");
    assertThat(failure.key()).isEqualTo("order \"7\"");
    assertThat(failure.lastProblem().orElseThrow().getString("type")).endsWith("overloaded");
    assertThat(failure.outcomeUnknown()).isTrue();
    assertThat(keys()).containsExactly("\"order \\\"7\\\"\"");
    assertThat(await(failure.queryKey()).getJsonArray("data")).isEmpty();
    assertThat(service.requests.get(1).uri()).isEqualTo("/v1/idempotency-keys/order%20%227%22");
  }

  @Test
  void theOutcomeIsKnownIfNoServerWasReached() {
    List<String> nodes = List.of("http://127.0.0.1:" + Ports.free());
    IdempotentClient client = IdempotentClient.create(vertx, nodes, quick().setDeadlineMillis(300));

    assertThat(failure(client.send(PAYMENT)).outcomeUnknown()).isFalse();
  }

  @Test
  void aSilentNodeIsAbandonedAtTheDeadline() {
    service.then(request -> {});

    GaveUpException failure = failure(client(quick().setDeadlineMillis(300)).send(PAYMENT));

    assertThat(failure.outcomeUnknown()).isTrue();
    assertThat(service.requests).hasSize(1);
  }

  @Test
  void noRetryStartsAfterTheKeyExpired() {
    service.thenProblem(
        503,
        "attempt-failed",
        Map.of(
            "Date", "Mon, 23 Nov 2026 10:00:00 GMT",
            "Idempotency-Expires", "Mon, 23 Nov 2026 10:00:02 GMT",
            "Retry-After", "Mon, 23 Nov 2026 10:00:03 GMT"));

    assertThat(failure(client().send(PAYMENT))).hasMessageContaining("expires before a retry");
  }

  @Test
  void retriesOfAllRequestsAreLimitedByTheBudget() {
    service.then(503);
    IdempotentClient client = client(quick().setBudgetTokens(20));

    List<Future<ClientResponse>> sent = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      sent.add(client.send(PAYMENT.withKey("k" + i)));
    }
    sent.forEach(it -> assertThat(failure(it)).hasMessageContaining("budget"));

    assertThat(service.requests).hasSizeLessThanOrEqualTo(50 + 10);
  }

  @Test
  void aSlowRequestIsHedgedAndTheFirstResponseWins() {
    service.then(201);
    IdempotentClient client = client(quick().setHedging(true));
    for (int i = 0; i < 20; i++) {
      await(client.send(PAYMENT.withKey("warm" + i)));
    }
    List<HttpServerRequest> held = new ArrayList<>();
    ScriptedService slow = service.then(held::add).then(201);
    await(client.send(PAYMENT.withKey("last warm")));

    ClientResponse response = await(client.send(PAYMENT.withKey("slow")));

    assertThat(response.sends()).isEqualTo(2);
    assertThat(keys()).endsWith("\"slow\"", "\"slow\"");
    Await.until("the slow copy is aborted", () -> held.get(0).response().closed());
    assertThat(slow.requests).hasSize(23);
  }

  private IdempotentClient client() {
    return client(quick());
  }

  private IdempotentClient client(IdempotentClientOptions options) {
    return IdempotentClient.create(vertx, List.of(service.url()), options);
  }

  private static IdempotentClientOptions quick() {
    return new IdempotentClientOptions().setFirstDelayMillis(1).setMaxDelayMillis(20);
  }

  private List<String> keys() {
    return service.requests.stream()
        .map(request -> request.getHeader("Idempotency-Key"))
        .filter(key -> key != null)
        .toList();
  }

  private static GaveUpException failure(Future<ClientResponse> sent) {
    return catchThrowableOfType(GaveUpException.class, () -> await(sent));
  }
}
