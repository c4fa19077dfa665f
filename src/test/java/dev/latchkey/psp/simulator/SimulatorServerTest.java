package dev.latchkey.psp.simulator;

import static dev.latchkey.psp.simulator.SimulatorFixture.charge;
import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.testing.TestVertx;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulatorServerTest {
  private final Vertx vertx = TestVertx.create();
  private SimulatorFixture psp;

  @BeforeEach
  void start() {
    psp = SimulatorFixture.start(vertx);
  }

  @AfterEach
  void stop() {
    psp.close();
    await(vertx.close());
  }

  private String charged(String key, boolean capture) throws Exception {
    return new JsonObject(psp.post("/charges", key, charge("pm_card_visa", capture)).body())
        .getString("id");
  }

  private static void assertProblem(HttpResponse<String> response, int status) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("content-type")).contains("application/problem+json");
    JsonObject problem = new JsonObject(response.body());
    assertThat(problem.getInteger("status")).isEqualTo(status);
    assertThat(problem.getString("detail")).isNotBlank();
  }

  @Test
  void chargeIsCapturedAndRefundedOverHttp() throws Exception {
    HttpResponse<String> made = psp.post("/charges", "k", charge("pm_card_visa", false));
    assertThat(made.statusCode()).isEqualTo(201);
    JsonObject charge = new JsonObject(made.body());
    String path = "/charges/" + charge.getString("id");
    assertThat(charge.getString("id")).as("128 random bits").matches("ch_[0-9a-f]{32}");
    assertThat(charge.getString("status")).isEqualTo("authorized");
    assertThat(psp.json(path)).isEqualTo(charge);
    assertThat(psp.json("/charges?idempotency_key=k").getJsonArray("data")).containsExactly(charge);

    HttpResponse<String> captured = psp.post(path + "/capture", "c", "{\"amount\": 900}");
    assertThat(captured.statusCode()).isEqualTo(200);
    assertThat(new JsonObject(captured.body()).getLong("captured_amount")).isEqualTo(900);

    HttpResponse<String> refunded = psp.post(path + "/refund", "r", "");
    assertThat(refunded.statusCode()).isEqualTo(201);
    JsonObject after = new JsonObject(refunded.body());
    assertThat(after.getString("status")).isEqualTo("refunded");
    assertThat(after.getLong("refunded_amount")).isEqualTo(900);
    assertThat(after.getJsonObject("refund").getLong("amount")).isEqualTo(900);
    assertThat(psp.post(path + "/refund", "r", "").body()).isEqualTo(refunded.body());
    assertThat(psp.post("/charges", "k", charge("pm_card_visa", false)).body())
        .isEqualTo(made.body());
    assertThat(psp.json("/stats"))
        .isEqualTo(
            new JsonObject()
                .put("charges", 1)
                .put("captured", 1)
                .put("refunds", 1)
                .put("declined", 0)
                .put("duplicates_suppressed", 2)
                .put("max_charges_per_key", 1));
  }

  @Test
  void statesAndKeysAreEnforced() throws Exception {
    String path = "/charges/" + charged("k", false);
    assertThat(psp.post(path + "/cancel", "x", "").statusCode()).isEqualTo(200);
    assertProblem(psp.post(path + "/capture", "c", "{}"), 409);
    assertProblem(psp.post("/charges", "k", charge("pm_card_visa", true)), 422);
    assertProblem(psp.post("/charges/ch_none/cancel", "n", ""), 404);
    assertProblem(psp.get("/charges/ch_none"), 404);
  }

  @ParameterizedTest
  @CsvSource({"pm_card_declined,generic_decline", "pm_card_insufficient_funds,insufficient_funds"})
  void declineIsFinal(String method, String code) throws Exception {
    HttpResponse<String> declined = psp.post("/charges", "k", charge(method, true));
    assertProblem(declined, 402);
    assertThat(new JsonObject(declined.body()).getString("decline_code")).isEqualTo(code);
    assertThat(psp.post("/charges", "k", charge(method, true)).body()).isEqualTo(declined.body());
  }

  @Test
  void anUnsteadySimulatorResults503() throws Exception {
    assertProblem(psp.post("/charges", "u", charge("pm_psp_unavailable", true)), 503);
    assertProblem(psp.post("/charges", "u", charge("pm_psp_unavailable", true)), 503);
    assertProblem(psp.post("/charges", "f", charge("pm_psp_flaky", true)), 503);
    assertThat(psp.post("/charges", "f", charge("pm_psp_flaky", true)).statusCode()).isEqualTo(201);
  }

  @Test
  void lostReplyBreaksTheConnectionOnce() throws Exception {
    String body = charge("pm_psp_lost_reply", true);
    assertThatThrownBy(
            () ->
                psp.send(
                    psp.request("/charges", body)
                        .version(java.net.http.HttpClient.Version.HTTP_1_1)
                        .header("Idempotency-Key", "k")
                        .build()))
        .isInstanceOf(IOException.class);
    assertThat(psp.post("/charges", "k", body).statusCode()).isEqualTo(201);
    assertThat(psp.json("/stats").getInteger("charges")).isEqualTo(1);
  }

  @Test
  void slowChargeIsSharedByDuplicatesAndSurvivesADisconnect() throws Exception {
    HttpRequest request =
        psp.request("/charges", charge("pm_slow_400", true)).header("Idempotency-Key", "k").build();
    CompletableFuture<HttpResponse<String>> hungUp = psp.sendAsync(request);
    CompletableFuture<HttpResponse<String>> second = psp.sendAsync(request);
    CompletableFuture<HttpResponse<String>> third = psp.sendAsync(request);
    hungUp.cancel(true);
    assertThat(second.join().statusCode()).isEqualTo(201);
    assertThat(third.join().body()).isEqualTo(second.join().body());
    assertThat(psp.json("/stats").getInteger("charges")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "null",
        "1",
        "{} {}",
        "{\"amount\":1,\"amount\":2,\"currency\":\"EUR\",\"payment_method\":\"pm_card_visa\"}",
        "{\"amount\":1.5,\"currency\":\"EUR\",\"payment_method\":\"pm_card_visa\"}",
        "{\"amount\":1e2,\"currency\":\"EUR\",\"payment_method\":\"pm_card_visa\"}",
        "{\"amount\":\"1\",\"currency\":\"EUR\",\"payment_method\":\"pm_card_visa\"}",
        "{\"amount\":99999999999999999999,\"currency\":\"EUR\",\"payment_method\":\"pm_card_visa\"}",
        "{\"amount\":0,\"currency\":\"EUR\",\"payment_method\":\"pm_card_visa\"}",
        "{\"amount\":1,\"currency\":\"eur\",\"payment_method\":\"pm_card_visa\"}",
        "{\"amount\":1,\"currency\":\"EUR\",\"payment_method\":\"pm_other\"}",
        "{\"amount\":1,\"currency\":\"EUR\"}",
        "{\"amount\":1,\"currency\":\"EUR\",\"payment_method\":\"pm_card_visa\",\"capture\":1}",
        "{\"amount\":1,\"currency\":\"EUR\",\"payment_method\":\"pm_card_visa\",\"x\":1}",
        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
      })
  void invalidChargeGets400AndUsesNoKey(String body) throws Exception {
    assertProblem(psp.post("/charges", "k", body), 400);
    assertThat(psp.post("/charges", "k", charge("pm_card_visa", true)).statusCode()).isEqualTo(201);
  }

  @Test
  void keyIsRequiredQuotedOrBare() throws Exception {
    String body = charge("pm_card_visa", true);
    assertProblem(psp.send(psp.request("/charges", body).build()), 400);
    assertProblem(psp.post("/charges", "\"open", body), 400);
    assertProblem(psp.post("/charges", "two words", body), 400);
    assertProblem(psp.post("/charges", "k".repeat(256), body), 400);
    HttpRequest twice =
        psp.request("/charges", body)
            .header("Idempotency-Key", "a")
            .header("Idempotency-Key", "b")
            .build();
    assertProblem(psp.send(twice), 400);
    String bare = psp.post("/charges", "abc", body).body();
    assertThat(psp.post("/charges", "\"abc\"", body).body()).isEqualTo(bare);
    assertThat(psp.post("/charges", "k".repeat(255), body).statusCode()).isEqualTo(201);
  }

  @Test
  void unknownPathsAndMethodsGet4xx() throws Exception {
    assertProblem(psp.post("/charges", "k", " ".repeat(SimulatorRoutes.MAX_BODY_BYTES + 1)), 413);
    assertProblem(psp.get("/nowhere"), 404);
    assertProblem(psp.get("/"), 404);
    assertProblem(psp.get("/charges"), 400);
    assertProblem(psp.get("/charges/a/b/c"), 404);
    assertProblem(psp.post("/charges/a/explode", "k", ""), 404);
    assertProblem(psp.post("/stats", "k", ""), 405);
    assertProblem(psp.get("/charges/a/capture"), 405);
    assertProblem(psp.get("/charges?idempotency_key"), 400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /charges?idempotency_key=%zz HTTP/1.1",
        "GET /charges?idempotency_key=% HTTP/1.1",
        "GET /charges/%zz HTTP/1.1",
        "OPTIONS * HTTP/1.1",
        "GET //// HTTP/1.1",
        "POST /charges HTTP/1.1"
      })
  void oddRequestLinesGet4xx(String line) throws Exception {
    try (java.net.Socket socket = new java.net.Socket("127.0.0.1", psp.port)) {
      String request = line + "\r\nHost: psp\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
      socket.getOutputStream().write(request.getBytes());
      String response = new String(socket.getInputStream().readAllBytes());
      assertThat(response).matches("(?s)HTTP/1.1 (200|4\\d\\d) .*");
    }
  }

  @Test
  void bodyOfAnotherTypeGets415() throws Exception {
    HttpRequest form =
        HttpRequest.newBuilder(psp.uri("/charges"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Idempotency-Key", "k")
            .POST(BodyPublishers.ofString("amount=1"))
            .build();
    assertProblem(psp.send(form), 415);
  }

  @Test
  void liveProbeAndDispute() throws Exception {
    assertThat(psp.get("/health/live").statusCode()).isEqualTo(200);
    String path = "/charges/" + charged("k", true) + "/dispute";
    HttpResponse<String> disputed = psp.send(psp.request(path, "").build());
    assertThat(disputed.statusCode()).isEqualTo(200);
    assertThat(new JsonObject(disputed.body()).getBoolean("disputed")).isTrue();
  }

  @Test
  void resultsSurviveARestart(@TempDir Path directory) throws Exception {
    Optional<Path> data = Optional.of(directory.resolve("made/here"));
    String body = charge("pm_card_visa", true);
    String response;
    JsonObject stats;
    try (SimulatorFixture first = SimulatorFixture.start(vertx, 0, data, Optional.empty())) {
      response = first.post("/charges", "k", body).body();
      stats = first.json("/stats");
      assertThatThrownBy(() -> SimulatorFixture.start(vertx, 0, data, Optional.empty()))
          .hasMessageContaining("in use");
    }
    try (SimulatorFixture second = SimulatorFixture.start(vertx, 0, data, Optional.empty())) {
      assertThat(second.json("/stats")).isEqualTo(stats);
      assertThat(second.post("/charges", "k", body).body()).isEqualTo(response);
      assertThat(Files.exists(data.get().resolve(JournalFiles.FILE))).isTrue();
    }
  }

  @Test
  void takenPortFailsTheStartAndFreesTheDirectory(@TempDir Path directory) {
    Optional<Path> data = Optional.of(directory);
    assertThatThrownBy(() -> SimulatorFixture.start(vertx, psp.port, data, Optional.empty()))
        .hasRootCauseInstanceOf(java.net.BindException.class);
    SimulatorFixture.start(vertx, 0, data, Optional.empty()).close();
  }
}
