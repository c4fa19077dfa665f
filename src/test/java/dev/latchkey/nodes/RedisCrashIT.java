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

  /** Longer than a call of the store and a probe of its connection take to be given up. */
  private static final String STALL_SECONDS = "20";

  /** Promised are 10; the rest is for machines that have much else to do. */
  private static final Duration REFUSED_WITHIN = Duration.ofSeconds(20);

  private final TestPsp psp = new TestPsp();
  private final List<LatchkeyProcess> nodes = new ArrayList<>();
  private RedisServer server;
  private Payments payments;

  private void start(String... settings) {
    server = RealServers.startRedis(settings);
    for (int i = 0; i < 2; i++) {
      nodes.add(new RedisFixture(server).serve(psp.url(), "--lease", "2s"));
    }
    payments = new Payments(PAYMENTS, nodes.stream().map(LatchkeyProcess::url).toList());
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
      Await.until("ready: " + ready, () -> Payer.isReady(node.url()) == ready);
    }
  }

  /** Both nodes refuse what they cannot do, and say that a retry helps. */
  private void assertRefused(String key) {
    List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
    for (LatchkeyProcess node : nodes) {
      // A key each: what is asked of a silent server is granted, and given back, once it speaks.
      asked.add(Payer.pay(node.url(), key + "_" + asked.size(), Payer.VISA));
    }
    for (CompletableFuture<HttpResponse<String>> one : asked) {
      HttpResponse<String> answer = await(one);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
      JsonObject problem = new JsonObject(answer.body());
      assertThat(problem.getString("type")).endsWith("/store-unavailable");
      assertThat(problem.getBoolean("retryable")).isTrue();
      assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    }
  }

  private void killAndRestart(String key) {
    server.kill9();
    awaitReady(false);
    assertRefused(key);
    server.restart();
    awaitReady(true);
  }

  private void stall(String key) {
    var asleep = CompletableFuture.runAsync(() -> server.command("DEBUG", "SLEEP", STALL_SECONDS));
    awaitReady(false);
    assertRefused(key);
    await(asleep);
    awaitReady(true);
  }

  /** Every node said at its start, in one line, what a crash loses. */
  private void assertSaid(String level, String loss) {
    for (LatchkeyProcess node : nodes) {
      assertThat(node.err())
          .filteredOn(line -> line.contains("a crash of this Redis loses "))
          .singleElement()
          .asString()
          .contains(level, "loses " + loss);
      // Outages are told by lines, not by traces.
      assertThat(node.err()).noneMatch(line -> line.startsWith("\tat "));
    }
  }

  private void awaitAll(String what) {
    payments.awaitAll();
    System.out.printf(
        "Redis %s in the middle of %d payments: %d answers 503, the slowest after %d ms%n",
        what, PAYMENTS, payments.refusals(), payments.slowestRefusal().toMillis());
    assertThat(payments.slowestRefusal()).isLessThan(REFUSED_WITHIN);
  }

  private JsonObject paymentOf(URI node, String key) {
    List<JsonObject> found = Payer.payments(node, key);
    assertThat(found).as(key).hasSize(1);
    return found.get(0);
  }

  private void assertOneChargeEach() {
    assertThat(psp.charges()).isEqualTo(PAYMENTS);
    assertThat(psp.stats().getLong("max_charges_per_key")).isEqualTo(1);
  }

  private void assertBooked(int count) {
    for (LatchkeyProcess node : nodes) {
      assertThat(Payer.booked(node.url())).isEqualTo(count);
    }
  }

  @Test
  void withEveryWriteOnDiskNothingIsLost() {
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
      String key = Payments.key(i);
      URI other = payments.node(i + 1);
      var again = await(Payer.pay(other, key, Payments.METHOD));
      assertThat(again.body()).as(key).isEqualTo(paid.get(key));
      assertThat(paymentOf(other, key)).isEqualTo(new JsonObject(paid.get(key)));
    }
    assertBooked(PAYMENTS);
    assertOneChargeEach();
    assertSaid(" INFO ", "nothing that was acknowledged");
  }

  @Test
  void withNothingPersistedPaymentsAreLostAndNothingIsChargedTwice() {
    start("--appendonly", "no");
    payments.awaitPaid(PAYMENTS / 4);
    killAndRestart("refused_1");
    payments.awaitPaid(PAYMENTS / 2);
    Set<String> answeredBefore = new HashSet<>(payments.paid().keySet());
    killAndRestart("refused_2");
    Set<String> answeredSince = new HashSet<>(payments.paid().keySet());
    awaitAll("that persists nothing was killed twice");
    Map<String, String> paid = payments.paid();
    for (int i = 0; i < PAYMENTS; i++) {
      String key = Payments.key(i);
      JsonObject answered = new JsonObject(paid.get(key));
      HttpResponse<String> found =
          Payer.get(payments.node(i), "/v1/payments/" + answered.getString("id"));
      if (answeredBefore.contains(key)) {
        assertThat(found.statusCode()).as("%s was lost", key).isEqualTo(404);
      } else if (!answeredSince.contains(key)) {
        assertThat(new JsonObject(found.body())).as("%s was kept", key).isEqualTo(answered);
      }
    }
    assertOneChargeEach();
    assertRetriesRestore(paid);
    assertSaid(" WARN ", "everything");
  }

  /** The very same requests again, to nodes that have not answered them: the charges stay. */
  private void assertRetriesRestore(Map<String, String> paid) {
    for (int i = 0; i < PAYMENTS; i++) {
      String key = Payments.key(i);
      if (payments.paidToSecond().containsKey(key)) {
        continue;
      }
      URI other = payments.node(i + 1);
      var again = await(Payer.pay(other, key, Payments.METHOD));
      assertThat(again.statusCode()).as(again.body()).isEqualTo(201);
      JsonObject payment = new JsonObject(again.body());
      assertThat(paymentOf(other, key)).isEqualTo(payment);
      assertThat(payment.getString("psp_charge"))
          .isEqualTo(new JsonObject(paid.get(key)).getString("psp_charge"));
    }
    assertOneChargeEach();
  }
}
