package dev.latchkey.nodes;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.Await;
import dev.latchkey.testing.StallFreeClock;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.PostgresServer;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The database is killed, restarted and stalled under two nodes that keep running. */
class PostgresCrashTest {

  private static final int PAYMENTS = 200;
  private static final int CRASHES = 3;

  private static final long REJECTED_WITHIN_MILLIS = 10_000;

  private final StallFreeClock clock = new StallFreeClock();
  private final TestPsp psp = new TestPsp();
  private final PostgresServer server = RealServers.startPostgres();
  private final Database database = server.freshDatabase();
  private final List<LocalNode> nodes = new ArrayList<>();

  /** Bodies of the 201 responses by key. */
  private final Map<String, String> paid = new HashMap<>();

  @BeforeEach
  void start() {
    QuietLogs.start();
    LocalNode.migrate(database);
    nodes.add(LocalNode.overPostgres(database, psp.url(), "--lease", "2s"));
    nodes.add(LocalNode.overPostgres(database, psp.url(), "--lease", "2s"));
  }

  @AfterEach
  void end() {
    nodes.forEach(LocalNode::close);
    server.close();
    psp.close();
    clock.close();
    QuietLogs.end();
  }

  private LocalNode node(int number) {
    return nodes.get(number % nodes.size());
  }

  private static String key(int number) {
    return PaymentTraffic.key(number);
  }

  private void pay(int number) {
    HttpResponse<String> response =
        PaymentClient.payUntilPaid(node(number).url(), key(number), PaymentTraffic.METHOD);
    paid.put(key(number), response.body());
  }

  private void awaitReady(boolean ready) {
    for (LocalNode node : nodes) {
      Await.until("ready: " + ready, () -> PaymentClient.isReady(node.url()) == ready);
    }
  }

  /** Both nodes reject a payment in time with a retryable 503. */
  private void assertRejected(String key) {
    for (LocalNode node : nodes) {
      long sentMillis = clock.millis();
      HttpResponse<String> response = await(PaymentClient.pay(node.url(), key, PaymentClient.VISA));
      assertThat(clock.millis() - sentMillis).isLessThanOrEqualTo(REJECTED_WITHIN_MILLIS);
      assertThat(response.statusCode()).isEqualTo(503);
      JsonObject problem = new JsonObject(response.body());
      assertThat(problem.getString("type")).endsWith("/store-unavailable");
      assertThat(problem.getBoolean("retryable")).isTrue();
      assertThat(response.headers().firstValue("Retry-After")).isPresent();
    }
  }

  private void assertOneEffectEach(int keys) {
    DatabaseRows rows = new DatabaseRows(database);
    assertThat(rows.number("SELECT count(*) FROM ledger_payments")).isEqualTo(keys);
    assertThat(rows.number("SELECT count(DISTINCT idempotency_key) FROM ledger_payments"))
        .isEqualTo(keys);
    assertThat(psp.charges()).isEqualTo(keys);
    assertThat(psp.stats().getLong("max_charges_per_key")).isEqualTo(1);
    paid.forEach(
        (key, body) -> {
          String id = new JsonObject(body).getString("id");
          // The payment of every response exists.
          HttpResponse<String> read = PaymentClient.get(node(0).url(), "/v1/payments/" + id);
          assertThat(read.statusCode()).as(key).isEqualTo(200);
          assertThat(new JsonObject(read.body())).isEqualTo(new JsonObject(body));
        });
  }

  @Test
  void killedDatabaseLosesNoPayment() {
    List<URI> urls = nodes.stream().map(LocalNode::url).toList();
    try (PaymentTraffic payments = new PaymentTraffic(PAYMENTS, urls)) {
      for (int crash = 1; crash <= CRASHES; crash++) {
        payments.awaitPaid(crash * PAYMENTS / (CRASHES + 1));
        server.kill9();
        awaitReady(false);
        assertRejected("rejected_" + crash);
        server.restart();
        awaitReady(true);
      }
      payments.awaitAll();
      paid.putAll(payments.paid());
    }
    for (int i = 0; i < PAYMENTS; i++) {
      // The other node replays the same bytes.
      var replay = await(PaymentClient.pay(node(i + 1).url(), key(i), PaymentTraffic.METHOD));
      assertThat(replay.body()).isEqualTo(paid.get(key(i)));
    }
    assertOneEffectEach(PAYMENTS);
  }

  @Test
  void stalledDatabaseLosesNoPayment() {
    int before = 10;
    for (int i = 0; i < before; i++) {
      pay(i);
    }
    nodes.forEach(node -> node.psp.shut());
    List<CompletableFuture<HttpResponse<String>>> interrupted = new ArrayList<>();
    for (int i = before; i < 2 * before; i++) {
      interrupted.add(PaymentClient.pay(node(i).url(), key(i), PaymentTraffic.METHOD));
    }
    Await.until(
        "the PSP has charged them",
        () -> nodes.stream().mapToInt(node -> node.psp.held()).sum() == before);
    server.pause();
    nodes.forEach(node -> node.psp.open());
    awaitReady(false);
    assertRejected("rejected");
    for (CompletableFuture<HttpResponse<String>> one : interrupted) {
      HttpResponse<String> response = await(one);
      assertThat(response.statusCode()).isEqualTo(503);
      assertThat(new JsonObject(response.body()).getString("state")).isEqualTo("unknown");
    }
    server.resume();
    awaitReady(true);
    for (int i = before; i < 2 * before; i++) {
      pay(i);
    }
    assertOneEffectEach(2 * before);
  }
}
