package dev.latchkey.nodes;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.service.LatchkeyProcess;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.servers.PostgresServer;
import dev.latchkey.testing.servers.RealServer;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Two processes with claims in a Redis without persistence, payments in Postgres and one PSP. */
@TestInstance(Lifecycle.PER_CLASS)
class HybridIT {

  private static final int PAYMENTS = 200;
  private static final int WAVE = 20;
  private static final String SLOW = "pm_slow_200";

  private TestPsp psp;
  private PostgresServer postgres;
  private RedisServer redis;
  private HybridNodesFixture fixture;
  private DatabaseRows rows;
  private LatchkeyProcess one;
  private LatchkeyProcess two;
  private long chargesBefore;
  private long bookedBefore;

  @BeforeAll
  void start() {
    psp = new TestPsp();
    postgres = RealServers.startPostgres();
    redis = RealServers.startRedis();
    fixture = new HybridNodesFixture(postgres.freshDatabase(), redis);
    rows = fixture.rows();
    one = fixture.serve(psp.url(), "--lease", "2s");
    two = fixture.serve(psp.url(), "--lease", "2s");
    one.readyLine();
    two.readyLine();
  }

  @AfterAll
  void end() {
    one.close();
    two.close();
    fixture.close();
    postgres.close();
    psp.close();
  }

  /** Waits until the servers have recovered from earlier tests. */
  @BeforeEach
  void recover(TestInfo test) {
    for (LatchkeyProcess node : List.of(one, two)) {
      String key = "before_" + test.getTestMethod().orElseThrow().getName();
      PaymentClient.payUntilPaid(node.url(), key, PaymentClient.VISA);
    }
    chargesBefore = psp.charges();
    bookedBefore = PaymentClient.booked(one.url());
  }

  private long charges() {
    return psp.charges() - chargesBefore;
  }

  @Test
  void paymentsHaveOneEffectThoughRedisLosesItsData() {
    Map<String, String> paid = new HashMap<>();
    for (int from = 0; from < PAYMENTS; from += WAVE) {
      paid.putAll(wave(from, from / WAVE));
    }

    assertThat(PaymentClient.booked(one.url()) - bookedBefore).isEqualTo(PAYMENTS);
    assertThat(paid.values()).doesNotHaveDuplicates();
    assertThat(charges()).isEqualTo(PAYMENTS);
    assertThat(psp.stats().getLong("max_charges_per_key")).isEqualTo(1);
    redis.command("FLUSHALL");
    paid.forEach(
        (key, body) -> {
          // The responses come from the receipts, since each node has at most half of them.
          for (LatchkeyProcess node : List.of(one, two)) {
            assertThat(await(PaymentClient.pay(node.url(), key, SLOW)).body()).isEqualTo(body);
            assertThat(await(PaymentClient.pay(node.url(), key, PaymentClient.VISA)).statusCode())
                .isEqualTo(422);
          }
        });
    assertThat(charges()).isEqualTo(PAYMENTS);
  }

  /** Sends payments to both nodes while Redis fails. */
  private Map<String, String> wave(int from, int number) {
    long before = psp.charges();
    Map<String, List<CompletableFuture<HttpResponse<String>>>> sent = new HashMap<>();
    for (int i = from; i < from + WAVE; i++) {
      String key = "key_" + i;
      sent.put(
          key,
          List.of(
              PaymentClient.pay(one.url(), key, SLOW), PaymentClient.pay(two.url(), key, SLOW)));
    }
    if (number % 2 == 1) {
      Await.until("the PSP has charged some", () -> psp.charges() > before);
      disturb(number);
    }
    Map<String, String> paid = new HashMap<>();
    sent.forEach(
        (key, responses) -> {
          String first = PaymentClient.untilPaid(responses.get(0), one.url(), key, SLOW).body();
          String second = PaymentClient.untilPaid(responses.get(1), two.url(), key, SLOW).body();
          assertThat(second).isEqualTo(first);
          paid.put(key, first);
        });
    return paid;
  }

  private void disturb(int number) {
    if (number % 4 == 1) {
      redis.command("FLUSHALL");
    } else {
      redis.kill9();
      redis.restart();
    }
  }

  @Test
  void anotherBodyGets422ThoughRedisLostTheClaim() {
    List<CompletableFuture<HttpResponse<String>>> first = new ArrayList<>();
    for (int i = 0; i < WAVE; i++) {
      first.add(PaymentClient.pay(one.url(), "forgotten_" + i, SLOW));
    }
    Await.until("the PSP has charged some", () -> charges() > 0);
    redis.command("FLUSHALL");
    for (int i = 0; i < WAVE; i++) {
      String key = "forgotten_" + i;
      int second = await(PaymentClient.pay(two.url(), key, "pm_slow_100")).statusCode();
      int own = await(first.get(i)).statusCode();
      // The first commit gets the key; the other request gets 422.
      assertThat(List.of(own, second)).containsExactlyInAnyOrder(201, 422);
      assertThat(rows.payments(key)).isEqualTo(1);
    }
    assertThat(psp.stats().getLong("max_charges_per_key")).isEqualTo(1);
  }

  @Test
  void pausedOwnerForgottenByRedisReturnsTheReceipt() {
    String slow = "pm_slow_1000";
    long claims = PaymentClient.calls(one.url(), "claim");
    var first = PaymentClient.pay(one.url(), "slept", slow);
    PaymentClient.awaitClaim(one.url(), claims);
    one.signal("STOP");
    redis.restart();
    HttpResponse<String> taken = PaymentClient.payUntilPaid(two.url(), "slept", slow);

    one.signal("CONT");

    HttpResponse<String> late = PaymentClient.untilPaid(first, one.url(), "slept", slow);
    assertThat(late.body()).isEqualTo(taken.body());
    assertThat(rows.payments("slept")).isEqualTo(1);
    assertThat(charges()).isEqualTo(1);
  }

  @Test
  void nothingExecutesWhileRedisOrTheLedgerIsSilent() {
    for (RealServer server : List.of(redis, postgres)) {
      String key = "silent_" + server.port();
      long before = psp.charges();
      server.pause();
      assertThat(await(PaymentClient.pay(one.url(), key, PaymentClient.VISA)).statusCode())
          .isEqualTo(503);
      assertThat(PaymentClient.isReady(one.url())).isFalse();
      assertThat(psp.charges()).isEqualTo(before);

      server.resume();

      PaymentClient.payUntilPaid(one.url(), key, PaymentClient.VISA);
      Await.until("the node is ready", () -> PaymentClient.isReady(one.url()));
      assertThat(rows.payments(key)).isEqualTo(1);
      assertThat(psp.charges()).isEqualTo(before + 1);
    }
  }
}
