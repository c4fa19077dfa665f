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
 * The connections of a node are cut before and after every single message that an undisturbed run
 * sends: there are never two payments or charges, what was answered 201 stays, and no key is stuck
 * for longer than its lease.
 */
class PostgresCutsTest {

  private static final String LEASE = "1s";
  private static final int TRIES = 10;
  private static final AtomicInteger KEYS = new AtomicInteger();

  private static TestPsp psp;
  private static Database database;
  private static KeyRows rows;
  private static CuttingProxy proxy;
  private static LocalNode cut;
  private static LocalNode other;

  @BeforeAll
  static void start() {
    Quiet.begin();
    psp = new TestPsp();
    database = RealServers.freshDatabase();
    rows = new KeyRows(database);
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
    Quiet.end();
  }

  @TestFactory
  Stream<DynamicTest> atEveryMessage() {
    Set<CutPoint> before = new HashSet<>();
    return Stream.of(CutScene.values()).flatMap(scene -> cutsOf(scene, before));
  }

  /** Those of a later scene that are its own: it begins like those before it. */
  private static Stream<DynamicTest> cutsOf(CutScene scene, Set<CutPoint> before) {
    List<CutPoint> points = CutPoint.inCommon(() -> recorded(scene));
    boolean all = scene == CutScene.OWNER || scene == CutScene.WAITER;
    List<CutPoint> own = points.stream().filter(it -> all || !before.contains(it)).toList();
    before.addAll(points);
    return own.stream()
        .map(point -> DynamicTest.dynamicTest(scene + " " + point, () -> cutAt(scene, point)));
  }

  @ParameterizedTest
  @EnumSource
  void theRecordHasWhatTheSceneIsAbout(CutScene scene) {
    List<CutPoint> points = CutPoint.inCommon(() -> recorded(scene));
    List<String> statements = points.stream().map(CutPoint::sql).toList();
    String[] expected =
        switch (scene) {
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
    if (scene == CutScene.WAITER) {
      assertThat(points).as("a notice").anyMatch(point -> point.type() == 'A');
    }
  }

  /**
   * Over new connections; once more where the one that listens was lost on the way, and a notice
   * with it. How many are made is chance, and the making of one is enough.
   */
  private static List<CutPoint> recorded(CutScene scene) {
    List<PgMessage> trace = List.of();
    boolean undisturbed = false;
    for (int i = 0; i < TRIES && !undisturbed; i++) {
      connectAnew();
      play(scene);
      trace = proxy.trace();
      long listens = trace.stream().filter(it -> it.runs("LISTEN")).count();
      undisturbed = listens <= (scene == CutScene.LISTENER ? 1 : 0);
    }
    return CutPoint.of(trace, it -> concernsTheKey(scene, it)).stream()
        .filter(point -> point.nth() == 1 || !comesAgainByChance(point))
        .toList();
  }

  private static boolean comesAgainByChance(CutPoint point) {
    return point.sql().startsWith("SET ")
        || point.sql().startsWith("SELECT pg_is_in_recovery")
        || point.sql().contains("renewed AS");
  }

  /** Only the connection that listens is made at once; the others are made when they are needed. */
  private static void connectAnew() {
    proxy.forget();
    proxy.cutAll();
    Await.until("a connection listens", () -> completed("LISTEN") > 0);
    proxy.forget();
  }

  /**
   * Housekeeping goes on by itself, whatever becomes of a key. Leases are renewed when it takes
   * long: in one scene by design, in the others as the machine's load has it.
   */
  private static boolean concernsTheKey(CutScene scene, PgMessage message) {
    return !message.sql().contains("pg_try_advisory")
        && !message.sql().equals("SELECT 1")
        && (scene == CutScene.RENEWER || !message.sql().contains("renewed AS"));
  }

  /** A run may do without a message of the record, such as a second look that came too late. */
  private static void cutAt(CutScene scene, CutPoint point) {
    boolean happened = false;
    for (int i = 0; i < TRIES && !happened; i++) {
      connectAnew();
      CompletableFuture<PgMessage> cutting = point.arm(proxy);
      play(scene);
      happened = cutting.isDone();
    }
    assertThat(happened).as("was cut at " + point).isTrue();
  }

  private static void play(CutScene scene) {
    String key = "cut_" + KEYS.incrementAndGet();
    long chargesBefore = psp.charges();
    boolean waits = scene == CutScene.WAITER || scene == CutScene.LISTENER;
    LocalNode owner = waits ? other : cut;
    LocalNode waiter = waits ? cut : other;
    owner.psp.shut();
    if (scene == CutScene.RELEASER) {
      owner.psp.refuseNext();
    }
    var first = Payer.pay(owner.url(), key, Payer.VISA);
    Await.until("the PSP was asked", () -> owner.psp.held() > 0 || first.isDone());
    var second = Payer.pay(waiter.url(), key, Payer.VISA);
    Await.until("the other node waits", () -> rows.isAwaited(key) || second.isDone());
    whileWaiting(scene, second);
    owner.psp.open();
    Set<String> paid = new HashSet<>();
    for (HttpResponse<String> answer : List.of(await(first), await(second))) {
      if (answer.statusCode() == 201) {
        paid.add(answer.body());
      }
    }
    paid.add(Payer.untilPaid(first, owner.url(), key, Payer.VISA).body());
    paid.add(Payer.untilPaid(second, waiter.url(), key, Payer.VISA).body());
    Await.until("both nodes are idle", () -> owner.isIdle() && waiter.isIdle());
    assertThat(paid).hasSize(1);
    assertThat(rows.payments(key)).isEqualTo(1);
    assertThat(psp.charges() - chargesBefore).isEqualTo(1);
  }

  private static void whileWaiting(CutScene scene, CompletableFuture<?> waiting) {
    if (scene == CutScene.RENEWER) {
      Await.until("the lease was renewed", () -> completed("renewed AS") > 0 || waiting.isDone());
    }
    if (scene == CutScene.LISTENER) {
      long looks = completed("awaited = true");
      proxy.cutAll();
      Await.until("it looked again", () -> completed("awaited = true") > looks || waiting.isDone());
    }
  }

  private static long completed(String sql) {
    return proxy.trace().stream().filter(it -> it.type() == 'C' && it.sql().contains(sql)).count();
  }
}
