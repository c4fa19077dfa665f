package dev.latchkey.service;

import static dev.latchkey.service.WholeService.GLOBEX;
import static dev.latchkey.service.WholeService.header;
import static dev.latchkey.service.WholeService.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.RawClient;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes of a payment's texts, and conditional reads of it. */
class PaymentChangesHttpTest {

  private final WholeService service = new WholeService();
  private String path = "";

  @BeforeEach
  void pay() throws Exception {
    path = "/v1/payments/" + service.pay("k", true).getString("id");
  }

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void changeNeedsTheVersionThatItIsBasedOn() throws Exception {
    HttpResponse<String> changed =
        patch(path, "{'description':'shoes','metadata':{'a':1}}", "If-Match", "\"1\"");

    assertThat(changed.statusCode()).isEqualTo(200);
    assertThat(header(changed, "ETag")).isEqualTo("\"2\"");
    assertThat(json(changed).getString("description")).isEqualTo("shoes");
    assertThat(json(changed).getLong("version")).isEqualTo(2);
    assertThat(service.get(path).body()).isEqualTo(changed.body());

    assertProblem(patch(path, "{}", "If-Match", "\"1\""), 412, "precondition-failed");
    assertProblem(patch(path, "{}", "If-Match", "W/\"2\""), 412, "precondition-failed");
    assertProblem(patch(path, "{}"), 428, "precondition-required");
    assertProblem(patch(path, "{}", "If-Match", "2"), 400, "invalid-request");
    assertThat(service.get(path).body()).isEqualTo(changed.body());

    HttpResponse<String> cleared =
        patch(path, "{'description':null,'metadata':null}", "If-Match", "\"7\", \"2\"");
    assertThat(json(cleared).getValue("description")).isNull();
    assertThat(json(cleared).getJsonObject("metadata")).isEmpty();
    assertThat(patch(path, "{}", "If-Match", "*").statusCode()).isEqualTo(200);
  }

  @Test
  void missingPaymentCannotBeChanged() throws Exception {
    assertProblem(patch("/v1/payments/pay_0", "{}"), 404, "not-found");
    assertProblem(patch("/v1/payments/pay_0", "{}", "If-Match", "*"), 404, "not-found");
    assertProblem(patch("/v1/payments/%00", "{}", "If-Match", "*"), 404, "not-found");
    assertProblem(service.sendAs(GLOBEX, "PATCH", path, "{}", "If-Match", "*"), 404, "not-found");
  }

  @Test
  void invalidChangesAreRejected() throws Exception {
    assertProblem(patch(path, "{'amount':1}", "If-Match", "*"), 400, "invalid-request");
    assertProblem(patch(path, "", "If-Match", "*"), 400, "invalid-request");
    assertProblem(patch(path + "?x=1", "{}", "If-Match", "*"), 400, "invalid-request");
    HttpResponse<String> delete = service.send("DELETE", path, null);
    assertProblem(delete, 405, "method-not-allowed");
    assertThat(header(delete, "Allow")).isEqualTo("GET, HEAD, PATCH");
    assertThat(json(service.get(path)).getLong("version")).isEqualTo(1);
  }

  @Test
  void oneOfSeveralChangesToOneVersionSucceeds() throws Exception {
    List<Integer> statuses = race(40, "\"1\"");

    assertThat(statuses).containsOnly(200, 412).containsOnlyOnce(200);
    assertThat(json(service.get(path)).getLong("version")).isEqualTo(2);
  }

  @Test
  void noAcknowledgedChangeIsLost() throws Exception {
    List<Integer> statuses = race(30, "*");

    assertThat(statuses).isSubsetOf(200, 503).contains(200);
    long taken = statuses.stream().filter(it -> it == 200).count();
    JsonObject payment = json(service.get(path));
    assertThat(payment.getJsonObject("metadata")).hasSize((int) taken);
    assertThat(payment.getLong("version")).isEqualTo(1 + taken);
  }

  @Test
  void aPaymentIsReadConditionally() throws Exception {
    HttpResponse<String> same = service.get(path, "If-None-Match", "W/\"1\"");
    assertThat(same.statusCode()).isEqualTo(304);
    assertThat(header(same, "ETag")).isEqualTo("\"1\"");
    assertThat(same.body()).isEmpty();

    patch(path, "{}", "If-Match", "*");

    assertThat(service.get(path, "If-None-Match", "\"1\"").statusCode()).isEqualTo(200);
    assertProblem(service.get(path, "If-Match", "\"1\""), 412, "precondition-failed");
    assertProblem(service.get(path, "If-None-Match", "1"), 400, "invalid-request");
    assertThat(service.get("/v1/payments/pay_0", "If-None-Match", "*").statusCode()).isEqualTo(404);
  }

  @Test
  void a304IsAHeadAlone() {
    try (RawClient client = new RawClient(service.server.port())) {
      String request = "GET %s HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %s\r\n%s\r\n";
      client.send(request.formatted(path, WholeService.ACME, "If-None-Match: \"1\"\r\n"));
      client.send(request.formatted("/v1/balance", WholeService.ACME, "Connection: close\r\n"));

      String answers = client.readToEnd();

      assertThat(answers).startsWith("HTTP/1.1 304 ").contains("\r\n\r\nHTTP/1.1 200 ");
    }
  }

  @Test
  void creationReturnsTheVersion() throws Exception {
    String body = "{'amount':1,'currency':'EUR','payment_method':'pm_card_visa','capture':false}";
    HttpResponse<String> made = service.send("POST", "/v1/payments", body, "Idempotency-Key", "e");
    assertThat(header(made, "ETag")).isEqualTo("\"1\"");

    HttpResponse<String> canceled =
        service.send("POST", header(made, "Location") + "/cancel", null, "Idempotency-Key", "c");

    assertThat(header(canceled, "ETag")).isEqualTo("\"2\"");
    assertThat(
            patch(header(made, "Location"), "{}", "If-Match", header(canceled, "ETag"))
                .statusCode())
        .isEqualTo(200);
  }

  @Test
  void readsWithoutAQueryRefuseOne() throws Exception {
    assertProblem(service.get(path + "?expand=x"), 400, "invalid-request");
    assertProblem(service.get("/v1/balance?limit=1"), 400, "invalid-request");
  }

  private List<Integer> race(int requests, String ifMatch) {
    List<CompletableFuture<HttpResponse<String>>> racing = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      String patch = "{'metadata':{'m" + i + "':" + i + "}}";
      racing.add(service.begin("PATCH", path, patch, "If-Match", ifMatch));
    }
    return racing.stream().map(one -> one.join().statusCode()).toList();
  }

  private HttpResponse<String> patch(String where, String body, String... headers)
      throws Exception {
    return service.send("PATCH", where, body, headers);
  }

  private static void assertProblem(HttpResponse<String> response, int status, String name) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(json(response).getString("type")).isEqualTo("/problems/" + name);
  }
}
