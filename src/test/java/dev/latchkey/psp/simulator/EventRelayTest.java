package dev.latchkey.psp.simulator;

import static dev.latchkey.psp.simulator.SimulatorFixture.charge;
import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.psp.StandardWebhooks;
import dev.latchkey.testing.TestVertx;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventRelayTest {
  private final Vertx vertx = TestVertx.create();
  private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
  private final Queue<Integer> statuses = new ConcurrentLinkedQueue<>();
  private HttpServer receiver;

  private record Received(MultiMap headers, Buffer body, int status) {
    JsonObject json() {
      return body.toJsonObject();
    }
  }

  @BeforeEach
  void start() {
    receiver =
        await(
            vertx
                .createHttpServer()
                .requestHandler(
                    request ->
                        request
                            .body()
                            .onSuccess(
                                body -> {
                                  int status = Optional.ofNullable(statuses.poll()).orElse(200);
                                  received.add(new Received(request.headers(), body, status));
                                  request.response().setStatusCode(status).end();
                                }))
                .listen(0, "127.0.0.1"));
  }

  @AfterEach
  void stop() {
    await(vertx.close());
  }

  private Optional<URI> url() {
    return Optional.of(URI.create("http://127.0.0.1:" + receiver.actualPort() + "/v1/psp-events"));
  }

  private Received next() throws Exception {
    Received next = received.poll(60, TimeUnit.SECONDS);
    assertThat(next).as("an event").isNotNull();
    return next;
  }

  private static String charged(SimulatorFixture psp, String key) throws Exception {
    return new JsonObject(psp.post("/charges", key, charge("pm_card_visa", true)).body())
        .getString("id");
  }

  @Test
  void eventIsSignedAndRetriedUntilDelivered() throws Exception {
    statuses.addAll(List.of(503, 404));
    try (SimulatorFixture psp = SimulatorFixture.start(vertx, 0, Optional.empty(), url())) {
      String id = charged(psp, "k");
      psp.post("/charges/" + id + "/refund", "r", "{\"amount\":300,\"source\":\"psp\"}");
      Received first = next();
      Received second = next();
      Received third = next();
      assertThat(third.status()).isEqualTo(200);
      assertThat(third.body()).isEqualTo(first.body()).isEqualTo(second.body());
      assertThat(first.json().getString("type")).isEqualTo("charge.refunded");
      assertThat(first.json().getJsonObject("data"))
          .isEqualTo(new JsonObject().put("charge", id).put("amount", 300));
      assertThat(Instant.parse(first.json().getString("created_at"))).isBefore(Instant.MAX);
      assertThat(third.headers().get("webhook-id")).isEqualTo(first.json().getString("id"));
      StandardWebhooks webhooks = StandardWebhooks.of("whsec_c2VjcmV0");
      assertThat(webhooks.verify(third.headers(), third.body(), Instant.now())).isTrue();
    }
  }

  @Test
  void onlyPspRefundsAndDisputesSendEvents() throws Exception {
    try (SimulatorFixture psp = SimulatorFixture.start(vertx, 0, Optional.empty(), url())) {
      String path = "/charges/" + charged(psp, "k");
      psp.post(path + "/refund", "r", "{\"amount\":300}");
      psp.send(psp.request(path + "/dispute", "").build());
      JsonObject dispute = next().json();
      assertThat(dispute.getString("type")).isEqualTo("charge.disputed");
      assertThat(dispute.getJsonObject("data").containsKey("amount")).isFalse();
      // A second dispute is none; the refund after it shows that nothing came in between.
      psp.send(psp.request(path + "/dispute", "").build());
      psp.post(path + "/refund", "r2", "{\"source\":\"psp\"}");
      assertThat(next().json().getJsonObject("data").getLong("amount")).isEqualTo(700);
    }
  }

  @Test
  void undeliveredEventIsSentAfterARestart(@TempDir Path directory) throws Exception {
    Optional<Path> data = Optional.of(directory);
    String eventId;
    statuses.add(500);
    statuses.add(500);
    try (SimulatorFixture psp = SimulatorFixture.start(vertx, 0, data, url())) {
      psp.send(psp.request("/charges/" + charged(psp, "k") + "/dispute", "").build());
      eventId = next().json().getString("id");
    }
    try (SimulatorFixture psp = SimulatorFixture.start(vertx, 0, data, url())) {
      Received last = next();
      while (last.status() != 200) {
        last = next();
      }
      assertThat(last.json().getString("id")).isEqualTo(eventId);
      assertThat(psp.get("/health/live").statusCode()).isEqualTo(200);
    }
  }
}
