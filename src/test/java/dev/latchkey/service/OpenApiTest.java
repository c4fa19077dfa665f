package dev.latchkey.service;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.latchkey.ledger.memory.MemoryLedger;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.psp.simulator.PspSimulator;
import dev.latchkey.service.cli.ServeConfig;
import dev.latchkey.service.ops.DrainState;
import dev.latchkey.service.ops.NodeMetrics;
import dev.latchkey.store.memory.MemoryStore;
import dev.latchkey.testing.TestVertx;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Route;
import io.vertx.openapi.contract.OpenAPIContract;
import io.vertx.openapi.contract.Operation;
import io.vertx.openapi.validation.ResponseValidator;
import io.vertx.openapi.validation.ValidatableResponse;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The API description is valid, complete, and true of the responses. */
class OpenApiTest {

  private static final Path DOCUMENT =
      Path.of("src/main/resources/dev/latchkey/service/http/openapi.yaml");
  private static final String VISA =
      "{'amount':100,'currency':'EUR','payment_method':'pm_card_visa','metadata':{'n':1.5}}";

  private Vertx vertx;
  private OpenAPIContract contract;
  private WholeService service;

  @BeforeEach
  void open() throws IOException {
    vertx = TestVertx.create();
    contract = await(OpenAPIContract.from(vertx, document()));
    service = new WholeService();
  }

  /** The document as the validator takes it: problems as plain JSON, no relative server. */
  private static JsonObject document() throws IOException {
    Map<?, ?> document =
        new ObjectMapper(new YAMLFactory()).readValue(DOCUMENT.toFile(), Map.class);
    document.remove("servers");
    String json = new ObjectMapper().writeValueAsString(document);
    return new JsonObject(json.replace("application/problem+json", "application/json"));
  }

  @AfterEach
  void close() {
    service.close();
    await(vertx.close());
  }

  @Test
  void isServed() throws Exception {
    HttpResponse<String> response = service.get("/openapi.yaml");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(WholeService.header(response, "Content-Type")).isEqualTo("application/yaml");
    assertThat(response.body()).startsWith("openapi: 3.1.0");
  }

  @Test
  void describesEveryRoute() {
    Set<String> described = new TreeSet<>();
    for (Operation operation : contract.operations()) {
      described.add(operation.getHttpMethod() + " " + operation.getOpenAPIPath());
    }

    assertThat(routes()).isEqualTo(described);
  }

  @Test
  void paymentsHaveTheDescribedResponses() throws Exception {
    HttpResponse<String> made =
        service.send("POST", "/v1/payments", VISA, "Idempotency-Key", "k-1");
    check("createPayment", made, 201);
    String payment = "/v1/payments/" + new JsonObject(made.body()).getString("id");
    check("getPayment", service.get(payment), 200);
    check("getPayment", service.get(payment, "If-None-Match", "\"1\""), 304);
    check("listPayments", service.get("/v1/payments?limit=1"), 200);
    check(
        "updatePayment",
        service.send("PATCH", payment, "{'description':'x'}", "If-Match", "\"1\""),
        200);
    HttpResponse<String> refunded =
        service.send("POST", payment + "/refunds", "{'amount':1}", "Idempotency-Key", "k-2");
    check("createRefund", refunded, 201);
    check("getRefund", service.get(WholeService.header(refunded, "Location")), 200);
    check("listRefunds", service.get(payment + "/refunds"), 200);
    check("getBalance", service.get("/v1/balance"), 200);
    check("getKey", service.get("/v1/idempotency-keys/k-1"), 200);
    String open = "/v1/payments/" + service.pay("k-3", false).getString("id");
    check(
        "capturePayment",
        service.send("POST", open + "/capture", "{}", "Idempotency-Key", "k-4"),
        200);
    String other = "/v1/payments/" + service.pay("k-5", false).getString("id");
    check(
        "cancelPayment",
        service.send("POST", other + "/cancel", "{}", "Idempotency-Key", "k-6"),
        200);
  }

  @Test
  void customersAndHealthHaveTheDescribedResponses() throws Exception {
    check("putCustomer", service.send("PUT", "/v1/customers/c", "{'name':'Ann'}"), 201);
    check("getCustomer", service.get("/v1/customers/c"), 200);
    check("ready", service.get("/health/ready"), 200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "createPayment | POST | /v1/payments               | {'amount':0}     | 400",
        "getPayment    | GET  | /v1/payments/pay_1         |                  | 404",
        "listPayments  | GET  | /v1/payments?limit=0       |                  | 400",
        "updatePayment | PATCH | /v1/payments/pay_1        | {}               | 404",
        "createRefund  | POST | /v1/payments/pay_1/refunds | {}               | 404",
        "getRefund     | GET  | /v1/refunds/re_1           |                  | 404",
        "putCustomer   | PUT  | /v1/customers/c            | {'x':1}          | 400",
        "problem       | GET  | /problems/none             |                  | 404"
      })
  void problemsAreAsDescribed(String operation, String method, String path, String body, int status)
      throws Exception {
    check(operation, service.send(method, path, body, "Idempotency-Key", "k"), status);
  }

  private void check(String operation, HttpResponse<String> response, int status) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    response.headers().map().forEach((name, values) -> headers.put(name, values.get(0)));
    ValidatableResponse validatable =
        response.body().isEmpty()
            ? ValidatableResponse.create(status, headers)
            : ValidatableResponse.create(
                status, headers, Buffer.buffer(response.body()), "application/json");
    await(ResponseValidator.create(vertx, contract).validate(validatable, operation));
  }

  private Set<String> routes() {
    ServeConfig config = TestService.config();
    MemoryBudget budget = new MemoryBudget(1 << 20);
    MemoryLedger ledger = new MemoryLedger(budget);
    NodeMetrics metrics = new NodeMetrics();
    ServiceParts parts =
        Wiring.service(
            vertx,
            config,
            metrics,
            MemoryStore.create(budget, ledger),
            ledger,
            PspSimulator.inMemory(vertx, budget).gateway(vertx, 1_000));
    Set<String> routes = new TreeSet<>();
    for (Route route :
        new ServiceRouter(config, parts, metrics, new DrainState()).create(vertx).getRoutes()) {
      if (route.methods() != null) {
        for (HttpMethod method : route.methods()) {
          if (!method.equals(HttpMethod.HEAD)) {
            routes.add(method + " " + template(route));
          }
        }
      }
    }
    return routes;
  }

  private static String template(Route route) {
    String path = route.getPath() == null ? route.getName() : route.getPath();
    return path.replaceAll(":([a-z]+)", "{$1}");
  }
}
