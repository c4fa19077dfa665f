package dev.latchkey.nodes;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.Await;
import dev.latchkey.testing.servers.CutPoint;
import dev.latchkey.testing.servers.CuttingProxy;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.PgMessage;
import dev.latchkey.testing.servers.RealServers;
import java.net.http.HttpResponse;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Cuts a node's connections before and after every message of an undisturbed payment. There are
 * never two payments or charges, every 201 response stays valid, and no key is stuck for longer
 * than its lease.
 */
class PostgresCutsTest {

  private static final String LEASE = "1s";
  private static final AtomicInteger KEYS = new AtomicInteger();

  private static TestPsp psp;
  private static Database database;
  private static DatabaseRows rows;
  private static CuttingProxy proxy;
  private static LocalNode cut;
  private static LocalNode other;

  @BeforeAll
  static void start() {
    QuietLogs.start();
    psp = new TestPsp();
    database = RealServers.freshDatabase();
    rows = new DatabaseRows(database);
    LocalNode.migrate(database);
    proxy = CuttingProxy.before(database);
    cut = LocalNode.overPostgres(proxy.through(database), psp.url(), "--lease", LEASE);
    other = LocalNode.overPostgres(database, psp.url(), "--lease", LEASE);
  }

  @AfterAll
  static void end() {
    cut.close();
    other.close();
    proxy.close();
    psp.close();
    QuietLogs.end();
  }

  @TestFactory
  Stream<DynamicTest> cutAtEveryMessage() {
    Set<CutPoint> before = new HashSet<>();
    return Stream.of(CutScenario.values()).flatMap(scenario -> cutsOf(scenario, before));
  }

  /** Skips the messages of a later scenario that earlier ones have covered. */
  private static Stream<DynamicTest> cutsOf(CutScenario scenario, Set<CutPoint> before) {
    List<CutPoint> points = CutPoint.inCommon(() -> recorded(scenario));
    boolean all = scenario == CutScenario.OWNER || scenario == CutScenario.WAITER;
    List<CutPoint> own = points.stream().filter(it -> all || !before.contains(it)).toList();
    before.addAll(points);
    return own.stream()
        .map(
            point -> DynamicTest.dynamicTest(scenario + " " + point, () -> cutAt(scenario, point)));
  }

  @ParameterizedTest
  @EnumSource
  void recordedMessagesCoverTheScenario(CutScenario scenario) {
    List<CutPoint> points = CutPoint.inCommon(() -> recorded(scenario));
    List<String> statements = points.stream().map(CutPoint::sql).toList();
    String[] expected =
        switch (scenario) {
          case OWNER -> new String[] {"INSERT INTO latchkey_key", "pg_notify"};
          case WAITER ->
              new String[] {"INSERT INTO latchkey_key", "awaited = true", "SELECT fingerprint"};
          case LISTENER -> new String[] {"LISTEN", "awaited = true", "SELECT fingerprint"};
          case RELEASER -> new String[] {"INSERT INTO latchkey_key", "phase = 2"};
          case RENEWER -> new String[] {"INSERT INTO latchkey_key", "renewed AS", "pg_notify"};
        };
    for (String part : expected) {
      assertThat(statements).as(part).anyMatch(sql -> sql.contains(part));
    }
    if (scenario == CutScenario.WAITER) {
      assertThat(points).as("a notification").anyMatch(point -> point.type() == 'A');
    }
  }

  /**
   * Records the messages over new connections. Waits for a play in which the listening connection
   * was not lost by chance, and a notification with it. The number of connections varies; one
   * set-up is enough. Every play must succeed.
   */
  private static List<CutPoint> recorded(CutScenario scenario) {
    long listens = scenario == CutScenario.LISTENER ? 1 : 0;
    Await.until(
        "no listening connection is lost",
        () -> {
          reconnect();
          play(scenario);
          return proxy.trace().stream().filter(it -> it.runs("LISTEN")).count() <= listens;
        });
    return CutPoint.of(proxy.trace(), it -> concernsTheKey(scenario, it)).stream()
        .filter(point -> point.nth() == 1 || !isRepeatedByChance(point))
        .toList();
  }

  private static boolean isRepeatedByChance(CutPoint point) {
    return point.sql().startsWith("SET ")
        || point.sql().startsWith("SELECT pg_is_in_recovery")
        || point.sql().contains("renewed AS");
  }

  /** Only the listening connection opens at once; the others open when needed. */
  private static void reconnect() {
    proxy.forget();
    proxy.cutAll();
    Await.until("a connection listens", () -> completed("LISTEN") > 0);
    proxy.forget();
  }

  /**
   * Excludes housekeeping, and lease renewals, which happen in one scenario by design and in others
   * only on a busy machine.
   */
  private static boolean concernsTheKey(CutScenario scenario, PgMessage message) {
    return !message.sql().contains("pg_try_advisory")
        && !message.sql().equals("SELECT 1")
        && (scenario == CutScenario.RENEWER || !message.sql().contains("renewed AS"));
  }

  /** Waits for a play with the message, such as a late second lookup. Every play must succeed. */
  private static void cutAt(CutScenario scenario, CutPoint point) {
    Await.until(
        "cut at " + point,
        () -> {
          reconnect();
          CompletableFuture<PgMessage> cutting = point.arm(proxy);
          play(scenario);
          return cutting.isDone();
        });
  }

  private static void play(CutScenario scenario) {
    String key = "cut_" + KEYS.incrementAndGet();
    long chargesBefore = psp.charges();
    boolean waits = scenario == CutScenario.WAITER || scenario == CutScenario.LISTENER;
    LocalNode owner = waits ? other : cut;
    LocalNode waiter = waits ? cut : other;
    owner.psp.shut();
    if (scenario == CutScenario.RELEASER) {
      owner.psp.refuseNext();
    }
    var first = PaymentClient.pay(owner.url(), key, PaymentClient.VISA);
    Await.until("the PSP was called", () -> owner.psp.held() > 0 || first.isDone());
    var second = PaymentClient.pay(waiter.url(), key, PaymentClient.VISA);
    Await.until("the duplicate waits", () -> rows.isAwaited(key) || second.isDone());
    whileWaiting(scenario, second);
    owner.psp.open();
    Set<String> paid = new HashSet<>();
    for (HttpResponse<String> response : List.of(await(first), await(second))) {
      if (response.statusCode() == 201) {
        paid.add(response.body());
      }
    }
    paid.add(PaymentClient.untilPaid(first, owner.url(), key, PaymentClient.VISA).body());
    paid.add(PaymentClient.untilPaid(second, waiter.url(), key, PaymentClient.VISA).body());
    Await.until("both nodes are idle", () -> owner.isIdle() && waiter.isIdle());
    assertThat(paid).hasSize(1);
    assertThat(rows.payments(key)).isEqualTo(1);
    assertThat(psp.charges() - chargesBefore).isEqualTo(1);
  }

  private static void whileWaiting(CutScenario scenario, CompletableFuture<?> waiting) {
    if (scenario == CutScenario.RENEWER) {
      Await.until("the lease was renewed", () -> completed("renewed AS") > 0 || waiting.isDone());
    }
    if (scenario == CutScenario.LISTENER) {
      long watches = completed("awaited = true");
      proxy.cutAll();
      Await.until(
          "the node watches again",
          () -> completed("awaited = true") > watches || waiting.isDone());
    }
  }

  private static long completed(String sql) {
    return proxy.trace().stream().filter(it -> it.type() == 'C' && it.sql().contains(sql)).count();
  }
}
