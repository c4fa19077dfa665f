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

/** Two processes with claims in a Redis that keeps nothing, payments in Postgres and one PSP. */
@TestInstance(Lifecycle.PER_CLASS)
class HybridIT {

  private static final int PAYMENTS = 200;
  private static final int AT_ONCE = 20;
  private static final String SLOW = "pm_slow_200";

  private TestPsp psp;
  private PostgresServer postgres;
  private RedisServer redis;
  private HybridFixture fixture;
  private KeyRows rows;
  private LatchkeyProcess one;
  private LatchkeyProcess two;
  private long chargesBefore;
  private long bookedBefore;

  @BeforeAll
  void start() {
    psp = new TestPsp();
    postgres = RealServers.startPostgres();
    redis = RealServers.startRedis();
    fixture = new HybridFixture(postgres.freshDatabase(), redis);
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

  /** What earlier tests took away is back. */
  @BeforeEach
  void recover(TestInfo test) {
    for (LatchkeyProcess node : List.of(one, two)) {
      String key = "before_" + test.getTestMethod().orElseThrow().getName();
      Payer.untilPaid(Payer.pay(node.url(), key, Payer.VISA), node.url(), key, Payer.VISA);
    }
    chargesBefore = psp.charges();
    bookedBefore = Payer.booked(one.url());
  }

  private long charges() {
    return psp.charges() - chargesBefore;
  }

  @Test
  void twoHundredPaymentsHaveOneEffectEachWhateverRedisForgets() {
    Map<String, String> paid = new HashMap<>();
    for (int from = 0; from < PAYMENTS; from += AT_ONCE) {
      paid.putAll(wave(from, from / AT_ONCE));
    }

    assertThat(Payer.booked(one.url()) - bookedBefore).isEqualTo(PAYMENTS);
    assertThat(paid.values()).doesNotHaveDuplicates();
    assertThat(charges()).isEqualTo(PAYMENTS);
    assertThat(psp.stats().getLong("max_charges_per_key")).isEqualTo(1);
    redis.command("FLUSHALL");
    paid.forEach(
        (key, body) -> {
          // Neither node remembers by itself: each was told of half of them at most.
          for (LatchkeyProcess node : List.of(one, two)) {
            assertThat(await(Payer.pay(node.url(), key, SLOW)).body()).isEqualTo(body);
            assertThat(await(Payer.pay(node.url(), key, Payer.VISA)).statusCode()).isEqualTo(422);
          }
        });
    assertThat(charges()).isEqualTo(PAYMENTS);
  }

  /** Some payments, each sent to both nodes, with something happening to Redis meanwhile. */
  private Map<String, String> wave(int from, int number) {
    long before = psp.charges();
    Map<String, List<CompletableFuture<HttpResponse<String>>>> begun = new HashMap<>();
    for (int i = from; i < from + AT_ONCE; i++) {
      String key = "key_" + i;
      begun.put(key, List.of(Payer.pay(one.url(), key, SLOW), Payer.pay(two.url(), key, SLOW)));
    }
    if (number % 2 == 1) {
      Await.until("some are under way", () -> psp.charges() > before);
      disturb(number);
    }
    Map<String, String> paid = new HashMap<>();
    begun.forEach(
        (key, answers) -> {
          String first = Payer.untilPaid(answers.get(0), one.url(), key, SLOW).body();
          String second = Payer.untilPaid(answers.get(1), two.url(), key, SLOW).body();
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
  void anotherBodyIsRefusedOnceTheFirstAnswerIsCommittedThoughRedisForgotTheClaim() {
    List<CompletableFuture<HttpResponse<String>>> first = new ArrayList<>();
    for (int i = 0; i < AT_ONCE; i++) {
      first.add(Payer.pay(one.url(), "forgotten_" + i, SLOW));
    }
    Await.until("they run", () -> charges() > 0);
    redis.command("FLUSHALL");
    for (int i = 0; i < AT_ONCE; i++) {
      String key = "forgotten_" + i;
      int second = await(Payer.pay(two.url(), key, "pm_slow_100")).statusCode();
      int own = await(first.get(i)).statusCode();
      // Whoever commits first has the key; the other is told that it names another request.
      assertThat(List.of(own, second)).containsExactlyInAnyOrder(201, 422);
      assertThat(rows.payments(key)).isEqualTo(1);
    }
    assertThat(psp.stats().getLong("max_charges_per_key")).isEqualTo(1);
  }

  @Test
  void anOwnerThatSleptWhileRedisForgotItAnswersWithTheReceipt() {
    String slow = "pm_slow_1000";
    long claims = Payer.calls(one.url(), "claim");
    var first = Payer.pay(one.url(), "slept", slow);
    Payer.awaitClaim(one.url(), claims);
    one.signal("STOP");
    redis.restart();
    HttpResponse<String> taken =
        Payer.untilPaid(Payer.pay(two.url(), "slept", slow), two.url(), "slept", slow);

    one.signal("CONT");

    HttpResponse<String> late = Payer.untilPaid(first, one.url(), "slept", slow);
    assertThat(late.body()).isEqualTo(taken.body());
    assertThat(rows.payments("slept")).isEqualTo(1);
    assertThat(charges()).isEqualTo(1);
  }

  @Test
  void nothingRunsWhileRedisOrTheLedgerIsSilentAndEverythingOnceItAnswers() {
    for (RealServer server : List.of(redis, postgres)) {
      String key = "silent_" + server.port();
      long before = psp.charges();
      server.pause();
      assertThat(await(Payer.pay(one.url(), key, Payer.VISA)).statusCode()).isEqualTo(503);
      assertThat(Payer.isReady(one.url())).isFalse();
      assertThat(psp.charges()).isEqualTo(before);

      server.resume();

      Payer.untilPaid(Payer.pay(one.url(), key, Payer.VISA), one.url(), key, Payer.VISA);
      Await.until("it is ready", () -> Payer.isReady(one.url()));
      assertThat(rows.payments(key)).isEqualTo(1);
      assertThat(psp.charges()).isEqualTo(before + 1);
    }
  }
}
