package dev.latchkey.payments;

import static dev.latchkey.ledger.LedgerFixtures.payment;
import static dev.latchkey.ledger.LedgerFixtures.refund;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.ledger.Ledger;
import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.memory.MemoryLedger;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.web.IdempotencyNode;
import dev.latchkey.web.IdempotencyOptions;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is answered before a key is claimed, and the calls that need no key. */
class PaymentsHttpTest {

  private static final int MAX_BODY = 100_000;
  private static final String SOUND =
      "{\"amount\":1,\"currency\":\"EUR\",\"payment_method\":\"pm_card_visa\"}";

  private final MemoryLedger ledger = new MemoryLedger(new MemoryBudget(1 << 30));
  private final HttpClient client = HttpClient.newHttpClient();
  private Vertx vertx;
  private IdempotencyNode node;

  @BeforeEach
  void open() {
    vertx = TestVertx.create();
    node = IdempotencyNode.create(vertx, new UnreachableStore());
  }

  @AfterEach
  void close() throws Exception {
    node.close();
    vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/v1/payments                 | text/plain                        | {}",
        "/v1/payments                 | application/json; charset=latin1  | {}",
        "/v1/payments                 | application/x-www-form-urlencoded | amount=1",
        "/v1/payments                 | multipart/form-data; boundary=x   | --x--",
        "/v1/payments                 | ``                                | {}",
        "/v1/payments/pay_1/cancel    | text/plain                        | {}",
        "/v1/payments/pay_1/capture   | multipart/form-data; boundary=x   | --x--"
      })
  void rejectsOtherMediaTypes(String path, String type, String body) throws Exception {
    HttpResponse<String> response = post(serve(ledger), path, type, body);

    assertProblem(response, 415, "unsupported-media-type");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/v1/payments                | ``                  | ``",
        "/v1/payments                | {\"amount\":        | ``",
        "/v1/payments                | {\"x\":1,\"x\":1}   | /x",
        "/v1/payments/pay_1/capture  | {\"amount\":1.0}    | /amount",
        "/v1/payments/pay_1/cancel   | {\"amount\":1}      | /amount",
        "/v1/payments/pay_1/refunds  | {\"reason\":1}      | /reason"
      })
  void rejectsInvalidBodiesWithAPointer(String path, String body, String pointer) throws Exception {
    HttpResponse<String> response = post(serve(ledger), path, "application/json", body);

    JsonObject problem = assertProblem(response, 400, "invalid-request");
    JsonObject error = problem.getJsonArray("errors").getJsonObject(0);
    assertThat(error.getString("pointer")).isEqualTo(pointer);
    assertThat(error.getString("detail")).isNotBlank();
  }

  @Test
  void rejectsDeepNestingQuickly() throws Exception {
    String deep = "{\"metadata\":" + "[".repeat(5_000) + "]".repeat(5_000) + "}";

    assertProblem(
        post(serve(ledger), "/v1/payments", "application/json", deep), 400, "invalid-request");
  }

  @Test
  void rejectsABodyOverTheLimit() throws Exception {
    String base = serve(ledger);
    String large = SOUND + " ".repeat(MAX_BODY);

    assertThat(post(base, "/v1/payments", "application/json", large).statusCode()).isEqualTo(413);
    assertThat(post(base, "/v1/payments", "multipart/form-data", large).statusCode())
        .isEqualTo(413);
    String full = SOUND + " ".repeat(MAX_BODY - SOUND.length());
    assertThat(post(base, "/v1/payments", "application/json", full).statusCode())
        .isGreaterThanOrEqualTo(500);
  }

  @Test
  void aPaymentIsReadWithItsVersion() throws Exception {
    String base = serve(ledger);
    ledger.apply(List.of(new InsertPayment(payment("default", "pay_1", 100, 100))));

    HttpResponse<String> response = get(base, "/v1/payments/pay_1");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("ETag")).contains("\"1\"");
    assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
    assertThat(new JsonObject(response.body()).getLong("amount")).isEqualTo(100);
  }

  @Test
  void anotherTenantSeesNothing() throws Exception {
    String base = serve(ledger);
    ledger.apply(List.of(new InsertPayment(payment("acme", "pay_1", 100, 100))));

    assertProblem(get(base, "/v1/payments/pay_1"), 404, "not-found");
    assertProblem(get(base, "/v1/payments/%00"), 404, "not-found");
    assertThat(get(base, "/v1/payments").body()).isEqualTo("{\"data\":[],\"has_more\":false}");
    assertThat(get(base, "/v1/balance").body()).isEqualTo("{\"data\":[]}");
    assertProblem(get(base, "/v1/payments?starting_after=pay_1"), 400, "invalid-request");
  }

  @Test
  void aListIsPagedAndItsQueryChecked() throws Exception {
    String base = serve(ledger);
    for (int i = 1; i <= 3; i++) {
      ledger.apply(List.of(new InsertPayment(payment("default", "pay_" + i, 100, 100))));
    }

    JsonObject page = new JsonObject(get(base, "/v1/payments?limit=1&starting_after=pay_3").body());
    assertThat(page.getBoolean("has_more")).isTrue();
    assertThat(page.getJsonArray("data").getJsonObject(0).getString("id")).isEqualTo("pay_2");
    assertThat(get(base, "/v1/payments?idempotency_key=key-pay_1").body()).contains("\"pay_1\"");
    assertProblem(get(base, "/v1/payments?limit=0"), 400, "invalid-request");
    assertProblem(get(base, "/v1/payments?page=2"), 400, "invalid-request");
    assertProblem(get(base, "/v1/payments?starting_after=pay_9"), 400, "invalid-request");
  }

  @Test
  void refundsAreReadByIdAndByPayment() throws Exception {
    String base = serve(ledger);
    Payment payment = payment("default", "pay_1", 100, 100);
    ledger.apply(List.of(new InsertPayment(payment)));
    ledger.apply(List.of(refund(payment, "re_1", 10)));
    ledger.apply(List.of(refund(payment, "re_2", 20)));

    JsonObject refund = new JsonObject(get(base, "/v1/refunds/re_2").body());
    assertThat(refund.getString("payment")).isEqualTo("pay_1");
    assertThat(refund.getLong("amount")).isEqualTo(20);
    JsonObject page = new JsonObject(get(base, "/v1/payments/pay_1/refunds?limit=1").body());
    assertThat(page.getBoolean("has_more")).isTrue();
    assertThat(page.getJsonArray("data").getJsonObject(0)).isEqualTo(refund);
    assertThat(get(base, "/v1/payments/pay_1/refunds?starting_after=re_2").body())
        .contains("\"re_1\"")
        .contains("\"has_more\":false");
    assertProblem(get(base, "/v1/refunds/re_3"), 404, "not-found");
    assertProblem(get(base, "/v1/refunds/%00"), 404, "not-found");
    assertProblem(get(base, "/v1/payments/pay_2/refunds"), 404, "not-found");
    assertProblem(
        get(base, "/v1/payments/pay_1/refunds?starting_after=re_3"), 400, "invalid-request");
    assertProblem(get(base, "/v1/payments/pay_1/refunds?customer=c"), 400, "invalid-request");
  }

  @Test
  void aListIsFilteredByStatusAndTime() throws Exception {
    String base = serve(ledger);
    ledger.apply(List.of(new InsertPayment(payment("default", "pay_1", 100, 0))));
    ledger.apply(List.of(new InsertPayment(payment("default", "pay_2", 100, 100))));

    assertThat(get(base, "/v1/payments?status=requires_capture").body())
        .contains("\"pay_1\"")
        .doesNotContain("\"pay_2\"");
    assertThat(get(base, "/v1/payments?created_after=1970-01-01T00:00:01Z").body())
        .isEqualTo("{\"data\":[],\"has_more\":false}");
    assertThat(get(base, "/v1/payments?created_before=1970-01-01T01:00:01.001%2B01:00").body())
        .contains("\"pay_1\"", "\"pay_2\"");
    assertProblem(get(base, "/v1/payments?created_after="), 400, "invalid-request");
    assertProblem(get(base, "/v1/payments?status="), 400, "invalid-request");
  }

  @ParameterizedTest
  @ValueSource(strings = {"%zz", "%", "%FF", "%C3%28", "%C0%AF", "%ED%A0%80"})
  void rejectsAnUndecodableQuery(String customer) throws Exception {
    int port = URI.create(serve(ledger)).getPort();

    // Held to the end: one that nobody holds is closed whenever the collector finds it.
    io.vertx.core.http.HttpClient client = vertx.createHttpClient();
    int status =
        client
            .request(HttpMethod.GET, port, "127.0.0.1", "/v1/payments?customer=" + customer)
            .compose(HttpClientRequest::send)
            .map(HttpClientResponse::statusCode)
            .toCompletionStage()
            .toCompletableFuture()
            .get(30, TimeUnit.SECONDS);

    client.close();
    assertThat(status).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/x-www-form-urlencoded", "multipart/form-data; boundary=\""})
  void formTypeWithoutBodyIsAccepted(String type) throws Exception {
    HttpResponse<String> response = post(serve(ledger), "/v1/payments", type, "");

    assertProblem(response, 400, "invalid-request");
  }

  @Test
  void unreachableLedgerGets503() throws Exception {
    String base = serve(new UnreachableLedger());

    for (String path :
        List.of(
            "/v1/payments/pay_1",
            "/v1/payments",
            "/v1/payments/pay_1/refunds",
            "/v1/refunds/re_1",
            "/v1/balance",
            "/v1/customers/c",
            "/v1/idempotency-keys/k")) {
      assertStoreUnavailable(get(base, path));
    }
    assertStoreUnavailable(send(base, "PUT", "/v1/customers/c"));
    assertStoreUnavailable(send(base, "PATCH", "/v1/payments/pay_1"));
  }

  private static void assertStoreUnavailable(HttpResponse<String> response) {
    JsonObject problem = assertProblem(response, 503, "store-unavailable");
    assertThat(problem.getBoolean("retryable")).isTrue();
    assertThat(response.headers().firstValue("Retry-After")).contains("1");
  }

  private String serve(Ledger served) throws Exception {
    Router router = Router.router(vertx);
    router.route().handler(node.capture());
    PaymentsOptions options =
        PaymentsOptions.of(
            new IdempotencyOptions(), ctx -> "default", MAX_BODY, "pm_card_visa"::equals);
    new PaymentsApi(served, new ScriptedPsp(), node, options).mount(router);
    HttpServer server =
        vertx
            .createHttpServer()
            .requestHandler(router)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get(30, TimeUnit.SECONDS);
    return "http://127.0.0.1:" + server.actualPort();
  }

  private HttpResponse<String> post(String base, String path, String type, String body)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path))
            .version(HttpClient.Version.HTTP_1_1)
            .header("Idempotency-Key", "\"k\"")
            .POST(BodyPublishers.ofString(body));
    if (!type.isEmpty()) {
      request.header("Content-Type", type);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> send(String base, String method, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base + path))
            .header("Content-Type", "application/json")
            .header("If-Match", "*")
            .method(method, BodyPublishers.ofString("{}"))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  private HttpResponse<String> get(String base, String pathAndQuery) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(base + pathAndQuery)).build();
    return client.send(request, BodyHandlers.ofString());
  }

  private static JsonObject assertProblem(HttpResponse<String> response, int status, String name) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
    JsonObject problem = new JsonObject(response.body());
    assertThat(problem.getString("type")).isEqualTo("/problems/" + name);
    return problem;
  }
}
