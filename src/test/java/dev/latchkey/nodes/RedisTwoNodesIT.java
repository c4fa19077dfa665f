package dev.latchkey.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.server.LatchkeyProcess;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisCluster;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpResponse;
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

/** Two processes on one Redis, and on a cluster of two, with the PSP as a third. */
class RedisTwoNodesIT {

  private static final int KEYS = 40;
  private static final int DUPLICATES = 40;
  private static final int WAITERS = 50;
  private static final List<String> CALLS =
      List.of("claim", "watch", "lookup", "renew", "complete", "release");

  private static RedisServer server;
  private static KeyHashes hashes;
  private static LatchkeyProcess psp;
  private static LatchkeyProcess one;
  private static LatchkeyProcess two;

  @BeforeAll
  static void start() {
    server = RealServers.startRedis();
    hashes = new KeyHashes(server);
    psp = LatchkeyProcess.ready("psp", "--port", "0");
    one = RedisNodes.serve(server.uri(), psp.url());
    two = RedisNodes.serve(server.uri(), psp.url());
    one.readyLine();
    two.readyLine();
  }

  @AfterAll
  static void end() {
    one.close();
    two.close();
    psp.close();
    server.close();
  }

  private static void storm(LatchkeyProcess first, LatchkeyProcess second, String... more) {
    List<String> args = new ArrayList<>(List.of("load", "--json"));
    args.addAll(List.of("--url", first.url() + "," + second.url()));
    args.addAll(List.of("--psp-url", psp.url().toString()));
    args.addAll(List.of("--keys", "" + KEYS, "--retries", "" + DUPLICATES));
    args.addAll(List.of("--concurrency", "400", "--slow-ms", "500"));
    args.addAll(List.of(more));
    try (LatchkeyProcess load = LatchkeyProcess.start(Map.of(), args.toArray(String[]::new))) {
      int code = load.exitCode();
      List<String> out = load.out();
      assertThat(code).as("%s %s", out, load.err()).isZero();
      assertExactlyOnce(new JsonObject(out.get(out.size() - 1)));
    }
  }

  private static void assertExactlyOnce(JsonObject report) {
    JsonObject wake = report.getJsonObject("wake_ms");
    System.out.println("40 keys x 40 duplicates over two nodes, woken within ms: " + wake);
    assertThat(report.getString("verdict")).isEqualTo("exactly-once");
    assertThat(report.getInteger("executed")).isEqualTo(KEYS);
    assertThat(report.getInteger("max_effects_per_key")).isEqualTo(1);
    assertThat(report.getInteger("keys_with_differing_answers")).isZero();
    assertThat(report.getInteger("errors")).isZero();
    assertThat(report.getInteger("parked")).isGreaterThan(KEYS);
    // Behind the owner, not one more run of the PSP behind it, nor a look at some interval.
    double first = report.getJsonObject("latency_ms").getJsonObject("first").getDouble("p50");
    assertThat(wake.getDouble("p50")).isLessThan(first / 2);
  }

  private static long charges() {
    return new JsonObject(Payer.get(psp.url(), "/stats").body()).getLong("charges");
  }

  @Test
  void fortyKeysWithFortyDuplicatesOverBothHaveOneEffectEach() {
    long before = charges();
    storm(one, two);
    assertThat(charges() - before).isEqualTo(KEYS);
  }

  @Test
  void waitersOnTheOtherNodeCostOneClaimOneWatchAndOneNotice() {
    pay("warm", Payer.VISA);
    long callsBefore = calls(two.url());
    long noticesBefore = hashes.calls("publish");
    String method = "pm_slow_3000";
    ConcurrentLinkedQueue<Long> answeredNanos = new ConcurrentLinkedQueue<>();
    CompletableFuture<Long> firstNanos = new CompletableFuture<>();
    var first = Payer.pay(one.url(), "watched", method);
    first.thenRun(() -> firstNanos.complete(System.nanoTime()));
    Polling.until("the first runs", () -> hashes.isClaimed("watched"));
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
    assertThat(hashes.calls("publish") - noticesBefore).as("notices").isEqualTo(1);
    // A claim, a watch, a look after it and one after the notice.
    assertThat(calls(two.url()) - callsBefore).as("calls of the store").isBetween(3L, 4L);
  }

  @Test
  void tellsOthersOnlyWhatSomebodyThereWaitsFor() {
    pay("warm_too", Payer.VISA);
    long before = hashes.calls("publish");
    List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
    // Duplicates on the owner's own node wait without the store.
    IntStream.range(0, 60)
        .mapToObj(i -> Payer.pay(one.url(), "quiet_" + i / 3, "pm_slow_200"))
        .forEach(all::add);
    IntStream.range(0, 20)
        .mapToObj(i -> Payer.pay(two.url(), "released_" + i, "pm_psp_unavailable"))
        .forEach(all::add);
    all.forEach(Polling::await);
    assertThat(hashes.calls("publish") - before).isZero();
  }

  @Test
  void overAClusterOfTwoMastersAsWell() {
    try (RedisCluster cluster = RealServers.startRedisCluster()) {
      List<RedisServer> masters = cluster.nodes();
      String near = tenantOn(masters.get(0), 0);
      String far = tenantOn(masters.get(0), 1);
      String[] keys = {"--api-keys", near + ":" + near + "-secret," + far + ":" + far + "-secret"};
      try (LatchkeyProcess first = RedisNodes.serve(cluster.uri(), psp.url(), keys);
          // One that knows a single node finds the other.
          LatchkeyProcess second = RedisNodes.serve(masters.get(1).uri(), psp.url(), keys)) {
        storm(first, second, "--api-key", near + "-secret");
        storm(first, second, "--api-key", far + "-secret");
      }
      assertThat(booked(masters.get(0), near)).isEqualTo(KEYS);
      assertThat(booked(masters.get(1), far)).isEqualTo(KEYS);
    }
  }

  /** Returns a tenant whose books are on the first or the second half of the slots. */
  private static String tenantOn(RedisServer server, int half) {
    return IntStream.range(0, 1_000)
        .mapToObj(i -> "tenant" + i)
        .filter(name -> (Long) server.command("CLUSTER", "KEYSLOT", name) / 8_192 == half)
        .findFirst()
        .orElseThrow();
  }

  private static long booked(RedisServer master, String tenant) {
    return (Long) master.command("HLEN", "latchkey:{" + tenant + "}:payments");
  }

  private static long calls(URI node) {
    return CALLS.stream()
        .mapToLong(
            name -> Payer.metric(node, "latchkey_store_calls_total{operation=\"" + name + "\"}"))
        .sum();
  }

  /** Makes the connections that both nodes need. */
  private static void pay(String key, String method) {
    for (LatchkeyProcess node : List.of(one, two)) {
      Payer.untilPaid(Payer.pay(node.url(), key, method), node.url(), key, method);
    }
  }
}
