package dev.latchkey.nodes;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.Await;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.PostgresServer;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The database is killed, restarted and stalled under two nodes that are never restarted. */
class PostgresCrashTest {

  private static final int PAYMENTS = 200;
  private static final int CLIENTS = 16;
  private static final int CRASHES = 3;

  /** Promised are 10; the rest is for machines that have much else to do. */
  private static final int REFUSED_WITHIN_SECONDS = 20;

  private final TestPsp psp = new TestPsp();
  private final PostgresServer server = RealServers.startPostgres();
  private final Database database = server.freshDatabase();
  private final List<LocalNode> nodes = new ArrayList<>();

  /** What was answered 201, by key. */
  private final Map<String, String> paid = new ConcurrentHashMap<>();

  @BeforeEach
  void start() {
    Quiet.begin();
    LocalNode.migrate(database);
    nodes.add(LocalNode.overPostgres(database, psp.url(), "--lease", "2s"));
    nodes.add(LocalNode.overPostgres(database, psp.url(), "--lease", "2s"));
  }

  @AfterEach
  void end() {
    nodes.forEach(LocalNode::close);
    server.close();
    psp.close();
    Quiet.end();
  }

  private LocalNode node(int number) {
    return nodes.get(number % nodes.size());
  }

  private static String key(int number) {
    return "crash_" + number;
  }

  private void pay(int number) {
    var node = node(number).url();
    var begun = Payer.pay(node, key(number), "pm_slow_20");
    paid.put(key(number), Payer.untilPaid(begun, node, key(number), "pm_slow_20").body());
  }

  private void awaitReady(boolean ready) {
    for (LocalNode node : nodes) {
      Await.until("ready: " + ready, () -> Payer.isReady(node.url()) == ready);
    }
  }

  /** Both nodes refuse what they cannot do, within the client's patience, and say that it helps. */
  private void assertRefused(String key) {
    for (LocalNode node : nodes) {
      HttpResponse<String> answer =
          await(
              Payer.pay(node.url(), key, Payer.VISA)
                  .orTimeout(REFUSED_WITHIN_SECONDS, TimeUnit.SECONDS));
      assertThat(answer.statusCode()).isEqualTo(503);
      JsonObject problem = new JsonObject(answer.body());
      assertThat(problem.getString("type")).endsWith("/store-unavailable");
      assertThat(problem.getBoolean("retryable")).isTrue();
      assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    }
  }

  private void assertOneEffectEach(int keys) {
    KeyRows rows = new KeyRows(database);
    assertThat(rows.number("SELECT count(*) FROM ledger_payments")).isEqualTo(keys);
    assertThat(rows.number("SELECT count(DISTINCT idempotency_key) FROM ledger_payments"))
        .isEqualTo(keys);
    assertThat(psp.charges()).isEqualTo(keys);
    assertThat(psp.stats().getLong("max_charges_per_key")).isEqualTo(1);
    paid.forEach(
        (key, body) -> {
          String id = new JsonObject(body).getString("id");
          // On the other node as well as from the books: what was answered is there.
          HttpResponse<String> read = Payer.get(node(0).url(), "/v1/payments/" + id);
          assertThat(read.statusCode()).as(key).isEqualTo(200);
          assertThat(new JsonObject(read.body())).isEqualTo(new JsonObject(body));
        });
  }

  @Test
  void killedAndRestartedInTheMiddleOfPayments() {
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (int i = 0; i < PAYMENTS; i++) {
        int number = i;
        all.add(CompletableFuture.runAsync(() -> pay(number), clients));
      }
      for (int crash = 1; crash <= CRASHES; crash++) {
        int enough = crash * PAYMENTS / (CRASHES + 1);
        Await.until("payments are on their way", () -> paid.size() >= enough);
        server.kill9();
        awaitReady(false);
        assertRefused("refused_" + crash);
        server.restart();
        awaitReady(true);
      }
      all.forEach(Await::await);
    } finally {
      clients.shutdownNow();
    }
    assertThat(paid).hasSize(PAYMENTS);
    for (int i = 0; i < PAYMENTS; i++) {
      // The other node's replay is what was answered, byte for byte.
      var again = await(Payer.pay(node(i + 1).url(), key(i), "pm_slow_20"));
      assertThat(again.body()).isEqualTo(paid.get(key(i)));
    }
    assertOneEffectEach(PAYMENTS);
  }

  @Test
  void stalledInTheMiddleOfPayments() {
    int before = 10;
    for (int i = 0; i < before; i++) {
      pay(i);
    }
    nodes.forEach(node -> node.psp.shut());
    List<CompletableFuture<HttpResponse<String>>> caught = new ArrayList<>();
    for (int i = before; i < 2 * before; i++) {
      caught.add(Payer.pay(node(i).url(), key(i), "pm_slow_20"));
    }
    Await.until(
        "their money has moved",
        () -> nodes.stream().mapToInt(node -> node.psp.held()).sum() == before);
    server.pause();
    nodes.forEach(node -> node.psp.open());
    awaitReady(false);
    assertRefused("refused");
    for (CompletableFuture<HttpResponse<String>> one : caught) {
      HttpResponse<String> answer = await(one);
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(new JsonObject(answer.body()).getString("state")).isEqualTo("unknown");
    }
    server.resume();
    awaitReady(true);
    for (int i = before; i < 2 * before; i++) {
      pay(i);
    }
    assertOneEffectEach(2 * before);
  }
}
