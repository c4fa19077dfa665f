package dev.latchkey.nodes;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.Await;
import dev.latchkey.testing.StallFreeClock;
import dev.latchkey.testing.servers.CuttingProxy;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.Ports;
import dev.latchkey.testing.servers.PostgresServer;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The times that the service promises, at their numbers, on a real server. They count while the
 * machine runs.
 */
class PromisedTimesTest {

  private static final String KEY = "promised";
  private static final long LEASE_MILLIS = 2_000;
  private static final long OUTAGE_MILLIS = 10_000;
  private static final long RECOVERY_MILLIS = 5_000;
  private static final long BROKEN_CONNECTION_MILLIS = 2_000;
  private static final long TAKEOVER_MILLIS = 1_000;
  private static final long RELEASE_MILLIS = 1_000;

  private final StallFreeClock clock = new StallFreeClock();
  private final TestPsp psp = new TestPsp();
  private final PostgresServer server = RealServers.startPostgres();
  private final Database database = server.freshDatabase();
  private final DatabaseRows rows = new DatabaseRows(database);
  private final CuttingProxy proxy = CuttingProxy.before(database);
  private LocalNode direct;
  private LocalNode proxied;

  /** A response and when it arrived. */
  private record Timed(HttpResponse<String> response, long atMillis) {}

  @BeforeEach
  void start() {
    QuietLogs.start();
    LocalNode.migrate(database);
    String lease = LEASE_MILLIS + "ms";
    direct = LocalNode.overPostgres(database, psp.url(), "--lease", lease);
    proxied = LocalNode.overPostgres(proxy.through(database), psp.url(), "--lease", lease);
  }

  @AfterEach
  void end() {
    // First, because a silent connection does not close.
    proxy.close();
    direct.close();
    proxied.close();
    server.close();
    psp.close();
    clock.close();
    QuietLogs.end();
  }

  private CompletableFuture<Timed> pay(LocalNode node, String key) {
    return PaymentClient.pay(node.url(), key, PaymentClient.VISA)
        .thenApply(response -> new Timed(response, clock.millis()));
  }

  private static void assertProblem(Timed timed, String type) {
    assertThat(timed.response().statusCode()).as(timed.response().body()).isEqualTo(503);
    assertThat(new JsonObject(timed.response().body()).getString("type")).endsWith("/" + type);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void outageOfTheStoreIsReportedInTimeAndRecoversInTime(boolean refuses) {
    PaymentClient.payUntilPaid(direct.url(), "warm", PaymentClient.VISA);
    if (refuses) {
      server.kill9();
    } else {
      server.pause();
    }
    long sentMillis = clock.millis();
    for (String key : List.of("lost_1", "lost_2")) {
      Timed rejected = await(pay(direct, key));
      assertProblem(rejected, "store-unavailable");
      assertThat(rejected.atMillis() - sentMillis).isLessThanOrEqualTo(OUTAGE_MILLIS);
      sentMillis = clock.millis();
    }
    Await.until("the node is not ready", () -> !PaymentClient.isReady(direct.url()));
    assertThat(clock.millis() - sentMillis).isLessThanOrEqualTo(OUTAGE_MILLIS);

    if (refuses) {
      server.restart();
    } else {
      server.resume();
    }
    long recoveredMillis = clock.millis();
    PaymentClient.payUntilPaid(direct.url(), "lost_1", PaymentClient.VISA);
    PaymentClient.payUntilPaid(direct.url(), "found", PaymentClient.VISA);
    Await.until("the node is ready", () -> PaymentClient.isReady(direct.url()));
    assertThat(clock.millis() - recoveredMillis).isLessThanOrEqualTo(RECOVERY_MILLIS);
  }

  @Test
  void pspThatRefusesConnectionsIsReportedInTime() {
    URI nobody = URI.create("http://127.0.0.1:" + Ports.free());
    try (LocalNode node = LocalNode.overPostgres(database, nobody)) {
      long sentMillis = clock.millis();
      Timed rejected = await(pay(node, KEY));
      assertProblem(rejected, "psp-unavailable");
      assertThat(rejected.atMillis() - sentMillis).isLessThanOrEqualTo(OUTAGE_MILLIS);
    }
  }

  @Test
  void waiterTakesOverInTimeAfterTheLease() {
    proxied.psp.shut();
    direct.psp.shut();
    CompletableFuture<Timed> lost = pay(proxied, KEY);
    Await.until("the PSP was called", () -> proxied.psp.held() == 1);
    CompletableFuture<Timed> waiting = pay(direct, KEY);
    Await.until("the duplicate waits", () -> rows.isAwaited(KEY));
    proxy.refuse();
    proxy.cutAll();
    String ends = "SELECT lease_until_millis - latchkey_now() FROM latchkey_key";
    Await.until("the lease is over", () -> rows.number(ends) <= 0 || direct.psp.held() == 1);
    long endMillis = clock.millis();

    Await.until("the waiter executes", () -> direct.psp.held() == 1);

    assertThat(clock.millis() - endMillis).isLessThanOrEqualTo(TAKEOVER_MILLIS);
    direct.psp.open();
    assertThat(await(waiting).response().statusCode()).isEqualTo(201);
    assertThat(psp.charges()).isEqualTo(1);
    proxied.psp.open();
    proxy.accept();
    await(lost.handle((response, failure) -> true));
  }

  private enum Break {
    ONE_SILENT(BROKEN_CONNECTION_MILLIS),
    ALL_CUT(BROKEN_CONNECTION_MILLIS),
    // An outage of the store that is over at once: new connections work.
    ALL_SILENT(RECOVERY_MILLIS);

    private final long delayMillis;

    Break(long delayMillis) {
      this.delayMillis = delayMillis;
    }
  }

  @ParameterizedTest
  @EnumSource
  void brokenConnectionDelaysADuplicateForALimitedTime(Break kind) {
    direct.psp.shut();
    CompletableFuture<Timed> first = pay(direct, KEY);
    Await.until("the PSP was called", () -> direct.psp.held() == 1);
    CompletableFuture<Timed> duplicate = pay(proxied, KEY);
    Await.until("the duplicate waits", () -> rows.isAwaited(KEY));
    switch (kind) {
      // The longest time to the next probe.
      case ONE_SILENT ->
          await(
              proxy.at(message -> message.runs("SELECT 1"), 1, CuttingProxy.Action.SILENCE_AFTER));
      case ALL_CUT -> proxy.cutAll();
      case ALL_SILENT -> proxy.silenceAll();
    }
    direct.psp.open();

    assertThat(await(duplicate).response().statusCode()).isEqualTo(201);
    assertThat(await(duplicate).atMillis() - await(first).atMillis())
        .isLessThanOrEqualTo(kind.delayMillis);
  }

  @Test
  void waitersLearnOfAReleaseInTimeOnEveryNode() {
    direct.psp.shut();
    direct.psp.refuseNext();
    CompletableFuture<Timed> first = pay(direct, KEY);
    Await.until("the PSP was called", () -> direct.psp.held() == 1);
    List<CompletableFuture<Timed>> waiting = new ArrayList<>();
    for (LocalNode node : List.of(direct, proxied)) {
      waiting.add(pay(node, KEY));
    }
    Await.until("both nodes park one", () -> direct.parked() == 1 && proxied.parked() == 1);
    Await.until("the other node waits", () -> rows.isAwaited(KEY));
    direct.psp.open();

    assertProblem(await(first), "psp-unavailable");
    for (CompletableFuture<Timed> one : waiting) {
      Timed released = await(one);
      assertThat(released.response().statusCode()).as(released.response().body()).isEqualTo(503);
      assertThat(released.atMillis() - await(first).atMillis()).isLessThanOrEqualTo(RELEASE_MILLIS);
    }
  }
}
