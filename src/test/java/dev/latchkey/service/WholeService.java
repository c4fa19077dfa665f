package dev.latchkey.service;

import static dev.latchkey.testing.Await.await;

import dev.latchkey.ledger.memory.MemoryLedger;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.psp.PspGateway;
import dev.latchkey.psp.simulator.PspSimulator;
import dev.latchkey.service.cli.ServeConfig;
import dev.latchkey.service.http.ConnectionLimits;
import dev.latchkey.service.ops.NodeMetrics;
import dev.latchkey.store.memory.MemoryStore;
import dev.latchkey.testing.TestVertx;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Everything that {@code serve} runs, in memory, on a free port, with two tenants. */
final class WholeService implements AutoCloseable {

  static final String ACME = "acme-secret-0123";
  static final String GLOBEX = "globex-secret-0123";

  private static final long PSP_TIMEOUT_MILLIS = 20_000;

  final MemoryBudget budget = new MemoryBudget(1 << 30);
  final LatchkeyServer server;
  private final Vertx vertx = TestVertx.create();
  private final HttpClient client = HttpClient.newHttpClient();

  WholeService() {
    this(psp -> psp);
  }

  /** With a PSP that the test puts something before. */
  WholeService(UnaryOperator<PspGateway> around) {
    ServeConfig config = TestService.config("--api-keys", "acme:" + ACME + ",globex:" + GLOBEX);
    MemoryLedger ledger = new MemoryLedger(budget);
    PspGateway psp = PspSimulator.inMemory(vertx, budget).gateway(vertx, PSP_TIMEOUT_MILLIS);
    NodeMetrics metrics = new NodeMetrics();
    ServiceParts parts =
        Wiring.service(
            vertx, config, metrics, MemoryStore.create(budget, ledger), ledger, around.apply(psp));
    server = await(LatchkeyServer.start(vertx, config, parts, metrics, ConnectionLimits.DEFAULT));
  }

  /** A request of acme's; headers are names and values in turn. */
  HttpResponse<String> send(String method, String path, @Nullable String body, String... headers)
      throws Exception {
    return client.send(request(ACME, method, path, body, headers), BodyHandlers.ofString());
  }

  HttpResponse<String> sendAs(
      String secret, String method, String path, @Nullable String body, String... headers)
      throws Exception {
    return client.send(request(secret, method, path, body, headers), BodyHandlers.ofString());
  }

  CompletableFuture<HttpResponse<String>> begin(
      String method, String path, @Nullable String body, String... headers) {
    return client.sendAsync(request(ACME, method, path, body, headers), BodyHandlers.ofString());
  }

  HttpResponse<String> get(String path, String... headers) throws Exception {
    return send("GET", path, null, headers);
  }

  /** Makes a payment under a key of its own name, and returns it. */
  JsonObject pay(String key, boolean capture) throws Exception {
    JsonObject body =
        new JsonObject()
            .put("amount", 100)
            .put("currency", "EUR")
            .put("payment_method", "pm_card_visa")
            .put("capture", capture);
    HttpResponse<String> made = send("POST", "/v1/payments", body.encode(), "Idempotency-Key", key);
    if (made.statusCode() != 201) {
      throw new AssertionError(made.body());
    }
    return new JsonObject(made.body());
  }

  static JsonObject json(HttpResponse<String> response) {
    return new JsonObject(response.body());
  }

  static String header(HttpResponse<String> response, String name) {
    return response.headers().firstValue(name).orElse("none");
  }

  /** A path segment for any text, dots too. */
  static String segment(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20").replace(".", "%2E");
  }

  private HttpRequest request(
      String secret, String method, String path, @Nullable String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .version(HttpClient.Version.HTTP_1_1)
            .header("Authorization", "Bearer " + secret);
    if (body == null) {
      request.method(method, BodyPublishers.noBody());
    } else {
      request.header("Content-Type", "application/json");
      request.method(method, BodyPublishers.ofString(body.replace('\'', '"')));
    }
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return request.build();
  }

  @Override
  public void close() {
    await(vertx.close());
  }
}
