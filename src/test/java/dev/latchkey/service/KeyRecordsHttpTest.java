package dev.latchkey.service;

import static dev.latchkey.service.WholeService.GLOBEX;
import static dev.latchkey.service.WholeService.header;
import static dev.latchkey.service.WholeService.json;
import static dev.latchkey.service.WholeService.segment;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.psp.PspGateway;
import dev.latchkey.psp.PspResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client is told about its keys. */
class KeyRecordsHttpTest {

  private static final String SOUND =
      "{'amount':100,'currency':'EUR','payment_method':'pm_card_visa'}";

  private final Promise<Void> captureMayGoOn = Promise.promise();
  private final CountDownLatch captureArrived = new CountDownLatch(1);
  private final WholeService service = new WholeService(this::holdingCaptures);

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void aFinishedRequest() throws Exception {
    JsonObject payment = service.pay("k-1", true);

    JsonObject record = one("k-1");

    assertThat(record.fieldNames())
        .containsExactly(
            "key",
            "method",
            "route",
            "state",
            "attempt",
            "status",
            "resource",
            "created_at",
            "expires_at");
    assertThat(record.getString("key")).isEqualTo("k-1");
    assertThat(record.getString("method")).isEqualTo("POST");
    assertThat(record.getString("route")).isEqualTo("/v1/payments");
    assertThat(record.getString("state")).isEqualTo("completed");
    assertThat(record.getInteger("attempt")).isEqualTo(1);
    assertThat(record.getInteger("status")).isEqualTo(201);
    assertThat(record.getString("resource")).isEqualTo("/v1/payments/" + payment.getString("id"));
    assertThat(
            Duration.between(
                OffsetDateTime.parse(record.getString("created_at")),
                OffsetDateTime.parse(record.getString("expires_at"))))
        .isEqualTo(Duration.ofHours(24));
  }

  @Test
  void aReleasedRequestAndItsAttempts() throws Exception {
    String body = SOUND.replace("pm_card_visa", "pm_psp_unavailable");
    for (int attempt = 1; attempt <= 2; attempt++) {
      assertThat(service.send("POST", "/v1/payments", body, "Idempotency-Key", "r").statusCode())
          .isEqualTo(503);

      JsonObject record = one("r");
      assertThat(record.getString("state")).isEqualTo("released");
      assertThat(record.getInteger("attempt")).isEqualTo(attempt);
      assertThat(record.getValue("status")).isNull();
      assertThat(record.getValue("resource")).isNull();
    }
  }

  @Test
  void aRequestInProgressOnAnotherRouteOfTheSameKey() throws Exception {
    JsonObject payment = service.pay("same", false);
    String path = "/v1/payments/" + payment.getString("id") + "/capture";
    CompletableFuture<HttpResponse<String>> capture =
        service.begin("POST", path, "{}", "Idempotency-Key", "same");
    assertThat(captureArrived.await(20, TimeUnit.SECONDS)).isTrue();

    JsonArray both = list("same");

    assertThat(both).hasSize(2);
    assertThat(both.getJsonObject(0).getString("state")).isEqualTo("completed");
    JsonObject running = both.getJsonObject(1);
    assertThat(running.getString("route")).isEqualTo("/v1/payments/{id}/capture");
    assertThat(running.getString("state")).isEqualTo("in_progress");
    assertThat(running.getValue("status")).isNull();

    captureMayGoOn.complete();
    assertThat(capture.join().statusCode()).isEqualTo(200);
    assertThat(list("same").getJsonObject(1).getString("state")).isEqualTo("completed");
  }

  @Test
  void aPatchDuringACaptureLosesNothing() throws Exception {
    JsonObject payment = service.pay("p", false);
    String path = "/v1/payments/" + payment.getString("id");
    CompletableFuture<HttpResponse<String>> capture =
        service.begin("POST", path + "/capture", "{'amount':60}", "Idempotency-Key", "p");
    assertThat(captureArrived.await(20, TimeUnit.SECONDS)).isTrue();
    HttpResponse<String> patched =
        service.send("PATCH", path, "{'description':'late'}", "If-Match", "\"1\"");
    assertThat(patched.statusCode()).isEqualTo(200);

    captureMayGoOn.complete();

    HttpResponse<String> captured = capture.join();
    assertThat(captured.statusCode()).isEqualTo(200);
    assertThat(json(captured).getString("description")).isEqualTo("late");
    assertThat(json(captured).getLong("captured_amount")).isEqualTo(60);
    assertThat(header(captured, "ETag")).isEqualTo("\"3\"");
    assertThat(service.get(path).body()).isEqualTo(captured.body());
    HttpResponse<String> replay =
        service.send("POST", path + "/capture", "{'amount':60}", "Idempotency-Key", "p");
    assertThat(header(replay, "Idempotent-Replayed")).isEqualTo("true");
    assertThat(header(replay, "ETag")).isEqualTo("\"3\"");
    assertThat(replay.body()).isEqualTo(captured.body());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {".", "..", "a/b", "../..", "%2F", "100%", "a b", "q\"\\", "?#&+=:@;,", "~"})
  void aKeyMayBeAnyPrintableText(String key) throws Exception {
    String declined = SOUND.replace("pm_card_visa", "pm_card_declined");
    String quoted = '"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"';

    HttpResponse<String> response =
        service.send("POST", "/v1/payments", declined, "Idempotency-Key", quoted);

    assertThat(response.statusCode()).isEqualTo(402);
    JsonArray data = json(service.get(json(response).getString("status_url"))).getJsonArray("data");
    assertThat(data.getJsonObject(0).getString("key")).isEqualTo(key);
    assertThat(data.getJsonObject(0).getInteger("status")).isEqualTo(402);
    assertThat(one(key)).isEqualTo(data.getJsonObject(0));
  }

  @Test
  void unknownKeysHaveNoRecords() throws Exception {
    service.pay("known", true);

    assertThat(service.get("/v1/idempotency-keys/unknown").body()).isEqualTo("{\"data\":[]}");
    assertThat(service.get("/v1/idempotency-keys/KNOWN").body()).isEqualTo("{\"data\":[]}");
    assertThat(service.sendAs(GLOBEX, "GET", "/v1/idempotency-keys/known", null).body())
        .isEqualTo("{\"data\":[]}");
    assertThat(service.sendAs("nobody", "GET", "/v1/idempotency-keys/%2E", null).statusCode())
        .isEqualTo(401);
  }

  @Test
  void malformedKeysAreRejected() throws Exception {
    String longest = "k".repeat(255);
    assertThat(service.get("/v1/idempotency-keys/" + longest).statusCode()).isEqualTo(200);

    for (String bad : List.of(longest + "k", "%00", "a%0Ab", "%7F", "%C3%A4", "%FF")) {
      HttpResponse<String> response = service.get("/v1/idempotency-keys/" + bad);
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(json(response).getString("type")).isEqualTo("/problems/idempotency-key-malformed");
    }
  }

  @Test
  void otherMethodsAndQueriesAreRejected() throws Exception {
    for (String key : List.of("k", "%2E%2E", ".", "k/")) {
      HttpResponse<String> delete = service.send("DELETE", "/v1/idempotency-keys/" + key, null);
      assertThat(delete.statusCode()).isEqualTo(405);
      assertThat(header(delete, "Allow")).isEqualTo("GET, HEAD");
    }
    assertThat(service.get("/v1/idempotency-keys/k?limit=1").statusCode()).isEqualTo(400);
    assertThat(service.get("/v1/idempotency-keys/").statusCode()).isEqualTo(404);
    assertThat(service.get("/v1/idempotency-keys/a/b").statusCode()).isEqualTo(404);
    assertThat(service.get("/v1/idempotency-keys/../balance").statusCode()).isEqualTo(200);
  }

  @Test
  void readsAreMetered() throws Exception {
    service.get("/v1/idempotency-keys/k");

    assertThat(service.get("/metrics").body())
        .contains("latchkey_store_calls_total{operation=\"records\",result=\"ok\"} 1.0");
  }

  private JsonObject one(String key) throws Exception {
    JsonArray data = list(key);
    assertThat(data).hasSize(1);
    return data.getJsonObject(0);
  }

  private JsonArray list(String key) throws Exception {
    HttpResponse<String> response = service.get("/v1/idempotency-keys/" + segment(key));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return json(response).getJsonArray("data");
  }

  private PspGateway holdingCaptures(PspGateway psp) {
    return new PspGateway() {
      @Override
      public Future<PspResult> charge(
          String key, long amount, String currency, String method, boolean capture) {
        return psp.charge(key, amount, currency, method, capture);
      }

      @Override
      public Future<PspResult> capture(String key, String charge, OptionalLong amount) {
        captureArrived.countDown();
        return captureMayGoOn.future().compose(v -> psp.capture(key, charge, amount));
      }

      @Override
      public Future<PspResult> cancel(String key, String charge) {
        return psp.cancel(key, charge);
      }

      @Override
      public Future<PspResult> refund(String key, String charge, OptionalLong amount) {
        return psp.refund(key, charge, amount);
      }
    };
  }
}
