package dev.latchkey.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.server.LatchkeyProcess;
import dev.latchkey.testing.servers.CuttingProxy;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.PgMessage;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Two processes on one database, with one PSP. */
class PostgresTwoNodesIT {

  private static final int WAITERS = 50;

  private static TestPsp psp;
  private static Database database;
  private static KeyRows rows;
  private static CuttingProxy proxy;
  private static LatchkeyProcess one;
  private static LatchkeyProcess two;

  @BeforeAll
  static void start() {
    psp = new TestPsp();
    database = RealServers.freshDatabase();
    rows = new KeyRows(database);
    proxy = CuttingProxy.before(database);
    // Both bring the schema up at once.
    one = node(database.uri());
    two = node(proxy.through(database).uri());
    one.readyLine();
    two.readyLine();
  }

  private static LatchkeyProcess node(String uri) {
    return LatchkeyProcess.start(
        Map.of("LATCHKEY_POSTGRES_URI", uri),
        "serve",
        "--port",
        "0",
        "--store",
        "postgres",
        "--psp-url",
        psp.url().toString());
  }

  @AfterAll
  static void end() {
    one.close();
    two.close();
    proxy.close();
    psp.close();
  }

  @Test
  void fortyKeysWithFortyDuplicatesOverBothHaveOneEffectEach() {
    try (LatchkeyProcess load =
        LatchkeyProcess.start(
            Map.of(),
            "load",
            "--url",
            one.url() + "," + two.url(),
            "--keys",
            "40",
            "--retries",
            "40",
            "--concurrency",
            "400",
            "--slow-ms",
            "500",
            "--psp-url",
            psp.url().toString(),
            "--json")) {
      int code = load.exitCode();
      List<String> out = load.out();
      assertThat(code).as("%s %s", out, load.err()).isZero();
      JsonObject report = new JsonObject(out.get(out.size() - 1));
      JsonObject wake = report.getJsonObject("wake_ms");
      System.out.println("40 keys x 40 duplicates over two nodes, woken within ms: " + wake);
      assertThat(report.getString("verdict")).isEqualTo("exactly-once");
      assertThat(report.getInteger("executed")).isEqualTo(40);
      assertThat(report.getInteger("max_effects_per_key")).isEqualTo(1);
      assertThat(report.getInteger("keys_with_differing_answers")).isZero();
      assertThat(report.getInteger("parked")).isGreaterThan(40);
      // Behind the owner, not one more run of the PSP behind it, nor a look at some interval.
      double first = report.getJsonObject("latency_ms").getJsonObject("first").getDouble("p50");
      assertThat(wake.getDouble("p50")).isLessThan(first / 2);
    }
  }

  @Test
  void waitersOnTheOtherNodeCostTheDatabaseOneClaimOneWatchAndOneLook() {
    warmUp("warm");
    proxy.forget();
    String method = "pm_slow_3000";
    ConcurrentLinkedQueue<Long> answeredNanos = new ConcurrentLinkedQueue<>();
    CompletableFuture<Long> firstNanos = new CompletableFuture<>();
    var first = Payer.pay(one.url(), "watched", method);
    first.thenRun(() -> firstNanos.complete(System.nanoTime()));
    Polling.until("the first runs", () -> rows.isClaimed("watched"));
    List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
    for (int i = 0; i < WAITERS; i++) {
      var duplicate = Payer.pay(two.url(), "watched", method);
      duplicate.thenRun(() -> answeredNanos.add(System.nanoTime()));
      waiting.add(duplicate);
    }
    String body = Polling.await(first).body();
    for (var duplicate : waiting) {
      HttpResponse<String> answer = Polling.await(duplicate);
      assertThat(answer.body()).isEqualTo(body);
      assertThat(answer.headers().firstValue("Idempotent-Replayed")).contains("true");
    }
    long[] sorted =
        answeredNanos.stream().mapToLong(at -> at - firstNanos.join()).sorted().toArray();
    System.out.printf(
        "%d waiters on the other node were answered %d ms behind the owner (median)%n",
        WAITERS, TimeUnit.NANOSECONDS.toMillis(sorted[WAITERS / 2]));
    List<String> sent = statements();
    // A machine that is too busy to answer the probe in time makes the node listen, and look, anew.
    long again = count(sent, "LISTEN");
    assertThat(count(sent, "takeable")).as("claims").isEqualTo(1);
    assertThat(count(sent, "SET awaited = true")).as("watches").isEqualTo(1 + again);
    assertThat(count(sent, "SELECT fingerprint")).as("looks").isEqualTo(2 + again);
    assertThat(sent)
        .as("and nothing but the probe and the purge of expired keys")
        .allMatch(
            sql ->
                sql.contains("takeable")
                    || sql.contains("SET awaited = true")
                    || sql.contains("SELECT fingerprint")
                    || sql.equals("SELECT 1")
                    || sql.startsWith("LISTEN")
                    || sql.startsWith("SET transaction_timeout")
                    || sql.contains("pg_try_advisory"));
  }

  /** The statements that the second node had run, as often as it had. */
  private static List<String> statements() {
    return proxy.trace().stream().filter(message -> message.runs("")).map(PgMessage::sql).toList();
  }

  private static long count(List<String> sent, String part) {
    return sent.stream().filter(sql -> sql.contains(part)).count();
  }

  @Test
  void notifiesWhenSomebodyWaitsOnAnotherNodeAndOnlyThen() throws SQLException {
    try (Connection connection = database.jdbc();
        var statement = connection.createStatement()) {
      statement.execute("LISTEN latchkey");
      PGConnection ear = connection.unwrap(PGConnection.class);
      List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
      // Duplicates on the owner's own node wait without the database.
      IntStream.range(0, 60)
          .mapToObj(i -> Payer.pay(one.url(), "quiet_" + i / 3, "pm_slow_200"))
          .forEach(all::add);
      IntStream.range(0, 20)
          .mapToObj(i -> Payer.pay(two.url(), "released_" + i, "pm_psp_unavailable"))
          .forEach(all::add);
      all.forEach(Polling::await);
      awaitTurn(statement, ear, "turn_1", 0);
      var first = Payer.pay(one.url(), "loud", "pm_slow_1500");
      Polling.until("the first runs", () -> rows.isClaimed("loud"));
      var second = Payer.pay(two.url(), "loud", "pm_slow_1500");
      assertThat(Polling.await(second).body()).isEqualTo(Polling.await(first).body());
      awaitTurn(statement, ear, "turn_2", 1);
    }
  }

  /** Notices come in the order of their commits: whatever was sent before comes before this. */
  private static void awaitTurn(
      java.sql.Statement statement, PGConnection ear, String word, int before) throws SQLException {
    List<String> heard = new ArrayList<>();
    statement.execute("NOTIFY latchkey, '" + word + "'");
    Polling.until(
        "the notice comes",
        () -> {
          try {
            PGNotification[] some = ear.getNotifications(10);
            for (PGNotification notice : some == null ? new PGNotification[0] : some) {
              heard.add(notice.getParameter());
            }
          } catch (SQLException e) {
            throw new AssertionError(e);
          }
          return heard.contains(word);
        });
    assertThat(heard).hasSize(before + 1).endsWith(word);
  }

  /** Makes the connections and statements that the second node needs. */
  private static void warmUp(String key) {
    URI node = two.url();
    Payer.untilPaid(Payer.pay(node, key, Payer.VISA), node, key, Payer.VISA);
  }
}
