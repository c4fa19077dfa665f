package dev.latchkey.nodes;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.service.LatchkeyProcess;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Redis is killed, restarted and stalled under two nodes that are never restarted. */
class RedisCrashIT {

  private static final int PAYMENTS = 200;

  /** Longer than the limits of a store call and of a connection probe. */
  private static final String STALL_SECONDS = "20";

  private static final Duration REJECTED_WITHIN = Duration.ofSeconds(10);

  private final TestPsp psp = new TestPsp();
  private final List<LatchkeyProcess> nodes = new ArrayList<>();
  private RedisServer server;
  private PaymentTraffic payments;

  private void start(String... settings) {
    server = RealServers.startRedis(settings);
    for (int i = 0; i < 2; i++) {
      nodes.add(new RedisNodesFixture(server).serve(psp.url(), "--lease", "2s"));
    }
    payments = new PaymentTraffic(PAYMENTS, nodes.stream().map(LatchkeyProcess::url).toList());
  }

  @AfterEach
  void end() {
    payments.close();
    nodes.forEach(LatchkeyProcess::close);
    server.close();
    psp.close();
  }

  private void awaitReady(boolean ready) {
    for (LatchkeyProcess node : nodes) {
      Await.until("ready: " + ready, () -> PaymentClient.isReady(node.url()) == ready);
    }
  }

  /** Both nodes reject a payment with a retryable 503. */
  private void assertRejected(String key) {
    List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
    for (LatchkeyProcess node : nodes) {
      // One key per node: a silent server grants the claims, and the nodes release them, once it
      // runs.
      sent.add(PaymentClient.pay(node.url(), key + "_" + sent.size(), PaymentClient.VISA));
    }
    for (CompletableFuture<HttpResponse<String>> one : sent) {
      HttpResponse<String> response = await(one);
      assertThat(response.statusCode()).as(response.body()).isEqualTo(503);
      JsonObject problem = new JsonObject(response.body());
      assertThat(problem.getString("type")).endsWith("/store-unavailable");
      assertThat(problem.getBoolean("retryable")).isTrue();
      assertThat(response.headers().firstValue("Retry-After")).isPresent();
    }
  }

  private void killAndRestart(String key) {
    server.kill9();
    awaitReady(false);
    assertRejected(key);
    server.restart();
    awaitReady(true);
  }

  private void stall(String key) {
    var sleep = CompletableFuture.runAsync(() -> server.command("DEBUG", "SLEEP", STALL_SECONDS));
    awaitReady(false);
    assertRejected(key);
    await(sleep);
    awaitReady(true);
  }

  /** Every node logged at startup, in one line, what a crash loses. */
  private void assertLogged(String level, String loss) {
    for (LatchkeyProcess node : nodes) {
      assertThat(node.err())
          .filteredOn(line -> line.contains("a crash of this Redis loses "))
          .singleElement()
          .asString()
          .contains(level, "loses " + loss);
      // Outages log no stack traces.
      assertThat(node.err()).noneMatch(line -> line.startsWith("\tat "));
    }
  }

  private void awaitAll(String what) {
    payments.awaitAll();
    System.out.printf(
        "Redis %s during %d payments: %d responses 503, the slowest after %d ms%n",
        what, PAYMENTS, payments.rejections(), payments.slowestRejection().toMillis());
    assertThat(payments.slowestRejection()).isLessThan(REJECTED_WITHIN);
  }

  private JsonObject paymentOf(URI node, String key) {
    List<JsonObject> found = PaymentClient.payments(node, key);
    assertThat(found).as(key).hasSize(1);
    return found.get(0);
  }

  private void assertOneChargeEach() {
    assertThat(psp.charges()).isEqualTo(PAYMENTS);
    assertThat(psp.stats().getLong("max_charges_per_key")).isEqualTo(1);
  }

  private void assertBalance(int count) {
    for (LatchkeyProcess node : nodes) {
      assertThat(PaymentClient.booked(node.url())).isEqualTo(count);
    }
  }

  @Test
  void fullyDurableRedisLosesNothing() {
    List<String> settings = new ArrayList<>(List.of("--appendonly", "yes"));
    settings.addAll(List.of("--appendfsync", "always"));
    settings.addAll(List.of(RedisServer.debugAllowed()));
    start(settings.toArray(String[]::new));
    payments.awaitPaid(PAYMENTS / 5);
    killAndRestart("refused_1");
    payments.awaitPaid(2 * PAYMENTS / 5);
    stall("refused_2");
    payments.awaitPaid(3 * PAYMENTS / 5);
    killAndRestart("refused_3");
    awaitAll("with every write on disk was killed, stalled and killed");
    Map<String, String> paid = payments.paid();
    payments.paidToSecond().forEach((key, body) -> assertThat(body).isEqualTo(paid.get(key)));
    server.kill9();
    server.restart();
    awaitReady(true);
    for (int i = 0; i < PAYMENTS; i++) {
      String key = PaymentTraffic.key(i);
      URI other = payments.node(i + 1);
      var repeated = await(PaymentClient.pay(other, key, PaymentTraffic.METHOD));
      assertThat(repeated.body()).as(key).isEqualTo(paid.get(key));
      assertThat(paymentOf(other, key)).isEqualTo(new JsonObject(paid.get(key)));
    }
    assertBalance(PAYMENTS);
    assertOneChargeEach();
    assertLogged(" INFO ", "nothing that was acknowledged");
  }

  @Test
  void redisWithoutPersistenceLosesPaymentsButChargesOnce() {
    start("--appendonly", "no");
    payments.awaitPaid(PAYMENTS / 4);
    killAndRestart("refused_1");
    payments.awaitPaid(PAYMENTS / 2);
    Set<String> paidBefore = new HashSet<>(payments.paid().keySet());
    killAndRestart("refused_2");
    Set<String> paidSince = new HashSet<>(payments.paid().keySet());
    awaitAll("that persists nothing was killed twice");
    Map<String, String> paid = payments.paid();
    for (int i = 0; i < PAYMENTS; i++) {
      String key = PaymentTraffic.key(i);
      JsonObject expected = new JsonObject(paid.get(key));
      HttpResponse<String> found =
          PaymentClient.get(payments.node(i), "/v1/payments/" + expected.getString("id"));
      if (paidBefore.contains(key)) {
        assertThat(found.statusCode()).as("%s was lost", key).isEqualTo(404);
      } else if (!paidSince.contains(key)) {
        assertThat(new JsonObject(found.body())).as("%s was kept", key).isEqualTo(expected);
      }
    }
    assertOneChargeEach();
    assertRetriesRestore(paid);
    assertLogged(" WARN ", "everything");
  }

  /** Repeats the same requests at the other nodes: the charges stay the same. */
  private void assertRetriesRestore(Map<String, String> paid) {
    for (int i = 0; i < PAYMENTS; i++) {
      String key = PaymentTraffic.key(i);
      if (payments.paidToSecond().containsKey(key)) {
        continue;
      }
      URI other = payments.node(i + 1);
      var repeated = await(PaymentClient.pay(other, key, PaymentTraffic.METHOD));
      assertThat(repeated.statusCode()).as(repeated.body()).isEqualTo(201);
      JsonObject payment = new JsonObject(repeated.body());
      assertThat(paymentOf(other, key)).isEqualTo(payment);
      assertThat(payment.getString("psp_charge"))
          .isEqualTo(new JsonObject(paid.get(key)).getString("psp_charge"));
    }
    assertOneChargeEach();
  }
}
