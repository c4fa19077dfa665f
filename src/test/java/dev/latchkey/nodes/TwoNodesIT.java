package dev.latchkey.nodes;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.service.LatchkeyProcess;
import dev.latchkey.testing.Await;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Two processes on the same servers, with the PSP as a third. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class TwoNodesIT {

  private static final int KEYS = 40;
  private static final int DUPLICATES = 40;
  private static final int WAITERS = 50;
  private static final List<String> OPERATIONS =
      List.of("claim", "watch", "lookup", "renew", "complete", "release");

  private NodesFixture fixture;
  private LatchkeyProcess psp;
  private LatchkeyProcess one;
  private LatchkeyProcess two;

  /** Starts the servers, empty. */
  abstract NodesFixture open();

  @BeforeAll
  void start() {
    psp = LatchkeyProcess.start(Map.of(), "psp", "--port", "0");
    fixture = open();
    // Both migrate at the same time.
    one = fixture.serve(psp());
    two = fixture.serve(psp());
    one.readyLine();
    two.readyLine();
  }

  @AfterAll
  void end() {
    one.close();
    two.close();
    psp.close();
    fixture.close();
  }

  URI psp() {
    return psp.url();
  }

  private long charges() {
    return new JsonObject(PaymentClient.get(psp(), "/stats").body()).getLong("charges");
  }

  /** Sends keys to both nodes with the load generator and audits them. */
  void sendLoad(int keys, LatchkeyProcess first, LatchkeyProcess second, String... more) {
    long before = charges();
    List<String> args = new ArrayList<>(List.of("load", "--json"));
    args.addAll(List.of("--url", first.url() + "," + second.url()));
    args.addAll(List.of("--psp-url", psp().toString()));
    args.addAll(List.of("--keys", "" + keys, "--retries", "" + DUPLICATES));
    args.addAll(List.of("--concurrency", "400", "--slow-ms", "500"));
    args.addAll(List.of(more));
    try (LatchkeyProcess load = LatchkeyProcess.start(Map.of(), args.toArray(String[]::new))) {
      int code = load.exitCode();
      List<String> out = load.out();
      assertThat(code).as("%s %s", out, load.err()).isZero();
      assertExactlyOnce(keys, new JsonObject(out.get(out.size() - 1)));
    }
    assertThat(charges() - before).isEqualTo(keys);
  }

  private static void assertExactlyOnce(int keys, JsonObject report) {
    JsonObject wake = report.getJsonObject("wake_ms");
    System.out.printf(
        "%d keys x %d duplicates over two nodes, wake latency in ms: %s%n", keys, DUPLICATES, wake);
    assertThat(report.getString("verdict")).isEqualTo("exactly-once");
    assertThat(report.getInteger("executed")).isEqualTo(keys);
    assertThat(report.getInteger("max_effects_per_key")).isEqualTo(1);
    assertThat(report.getInteger("keys_with_differing_answers")).isZero();
    assertThat(report.getInteger("errors")).isZero();
    assertThat(report.getInteger("parked")).isGreaterThan(keys);
    // Woken by the owner, not by a second PSP call or by polling.
    double first = report.getJsonObject("latency_ms").getJsonObject("first").getDouble("p50");
    assertThat(wake.getDouble("p50")).isLessThan(first / 2);
  }

  @Test
  void duplicatesOverBothNodesHaveOneEffectPerKey() {
    long before = PaymentClient.booked(one.url());
    sendLoad(KEYS, one, two);
    assertThat(PaymentClient.booked(two.url()) - before).isEqualTo(KEYS);
  }

  @Test
  void waitersOnTheOtherNodeCostOneClaimOneWatchAndOneLookup() {
    warmUp("warm");
    fixture.reset();
    long claims = PaymentClient.calls(one.url(), "claim");
    Map<String, Long> before = calls();
    String method = "pm_slow_6000";
    var first = PaymentClient.pay(one.url(), "watched", method);
    CompletableFuture<Long> firstNanos = first.thenApply(response -> System.nanoTime());
    PaymentClient.awaitClaim(one.url(), claims);
    ConcurrentLinkedQueue<Long> endNanos = new ConcurrentLinkedQueue<>();
    List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
    for (int i = 0; i < WAITERS; i++) {
      var duplicate = PaymentClient.pay(two.url(), "watched", method);
      waiting.add(duplicate.whenComplete((it, lost) -> endNanos.add(System.nanoTime())));
    }
    String body = await(first).body();
    for (var duplicate : waiting) {
      HttpResponse<String> response = await(duplicate);
      assertThat(response.body()).isEqualTo(body);
      assertThat(response.headers().firstValue("Idempotent-Replayed")).contains("true");
    }
    printMedian(endNanos, await(firstNanos));
    assertThat(fixture.notifications()).as("notifications").isEqualTo(1);
    Map<String, Long> calls = calls();
    calls.replaceAll((operation, count) -> count - before.get(operation));
    assertCalls(calls);
  }

  private static void printMedian(ConcurrentLinkedQueue<Long> endNanos, long firstNanos) {
    long[] sorted = endNanos.stream().mapToLong(at -> at - firstNanos).sorted().toArray();
    System.out.printf(
        "%d waiters on the other node got the response %d ms after the owner (median)%n",
        WAITERS, TimeUnit.NANOSECONDS.toMillis(sorted[WAITERS / 2]));
  }

  private void assertCalls(Map<String, Long> calls) {
    // On a busy machine a late probe makes a node subscribe and watch again.
    long resubscriptions = fixture.resubscriptions();
    assertThat(calls.get("claim")).as("claims, one per node").isEqualTo(2);
    assertThat(calls.get("watch")).as("watches").isBetween(1L, 1 + resubscriptions);
    assertThat(calls.get("watch") + calls.get("lookup"))
        .as("watches and lookups")
        .isBetween(2L, 2 + resubscriptions);
    assertThat(calls.get("complete")).as("completions").isEqualTo(1);
    long most = 0;
    for (Map.Entry<String, Long> call : calls.entrySet()) {
      most += call.getValue() * fixture.commandsPer(call.getKey());
    }
    assertThat(fixture.commands()).as("commands of the servers").isBetween(4L, most);
  }

  /** Returns the store calls of both nodes by operation. */
  private Map<String, Long> calls() {
    Map<String, Long> calls = new HashMap<>();
    for (String operation : OPERATIONS) {
      calls.put(
          operation,
          PaymentClient.calls(one.url(), operation) + PaymentClient.calls(two.url(), operation));
    }
    return calls;
  }

  @Test
  void noNotificationWithoutAWaiterOnAnotherNode() {
    warmUp("warm_too");
    fixture.reset();
    List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
    // Duplicates on the owner's node need no store call.
    IntStream.range(0, 60)
        .mapToObj(i -> PaymentClient.pay(one.url(), "quiet_" + i / 3, "pm_slow_200"))
        .forEach(all::add);
    IntStream.range(0, 20)
        .mapToObj(i -> PaymentClient.pay(two.url(), "released_" + i, "pm_psp_unavailable"))
        .forEach(all::add);
    all.forEach(Await::await);
    assertThat(fixture.notifications()).isZero();
  }

  /** Opens connections and prepares statements on both nodes. */
  private void warmUp(String key) {
    for (LatchkeyProcess node : List.of(one, two)) {
      PaymentClient.payUntilPaid(node.url(), key, PaymentClient.VISA);
    }
  }
}
