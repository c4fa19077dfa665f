package dev.latchkey.examples;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.examples.TripBooking.Point;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.servers.CutPoint;
import dev.latchkey.testing.servers.CuttingProxy;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.PgMessage;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A takeover over Postgres executes only the missing steps. */
class TripBookingTest {

  private static final long LEASE_MILLIS = 1_000;
  private static final long LONG_LEASE_MILLIS = 20_000;
  private static final AtomicInteger KEYS = new AtomicInteger();

  private static Database database;

  private final TripPartners partners = new TripPartners();

  @BeforeAll
  static void migrate() {
    database = RealServers.freshDatabase();
    TripApplication.migrate(database);
    database.value(TripBooking.TABLE);
  }

  private TripApplication start(Database by, long leaseMillis) {
    return new TripApplication(
        by, leaseMillis, new TripBooking(partners, point -> Future.succeededFuture()));
  }

  /** Starts a node whose first attempt stops at a point. */
  private TripApplication startStuckAt(Point stuck, CompletableFuture<Void> there) {
    return new TripApplication(
        database,
        LONG_LEASE_MILLIS,
        new TripBooking(
            partners,
            point -> {
              if (point == stuck && there.complete(null)) {
                return Promise.<Void>promise().future();
              }
              return Future.succeededFuture();
            }));
  }

  private static String newKey() {
    return "trip_" + KEYS.incrementAndGet();
  }

  private static String rows(String key) {
    return database.value("SELECT count(*) FROM trip WHERE key = '" + key + "'");
  }

  /** Expires a lease now and notifies its waiters. */
  private static void endLease(String key) {
    database.value(
        """
        WITH ended AS (
          UPDATE latchkey_key SET lease_until_millis = latchkey_now() WHERE key = '%s'
          RETURNING tenant, route, key
        )
        SELECT pg_notify('latchkey', json_build_array(tenant, route, key)::text) FROM ended
        """
            .formatted(key));
  }

  private void assertOneTrip(String key) {
    assertThat(rows(key)).isEqualTo("1");
    assertThat(partners.rooms()).isEqualTo(1);
    assertThat(partners.couriers()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "BEGUN, '', 'reserve, send'",
    // Done but not recorded: repeated under the same downstream key.
    "ROOM_RESERVED, 'reserve', 'reserve, send'",
    "ROOM_RECORDED, 'reserve', 'send'",
    // The outcome is unknown: queried, not repeated.
    "COURIER_INTENDED, 'reserve', 'find, send'",
    "COURIER_SENT, 'reserve, send', 'find'",
    "COURIER_RECORDED, 'reserve, send', ''",
    "ROW_INSERTED, 'reserve, send', ''"
  })
  void takeoverExecutesOnlyTheMissingSteps(Point crash, String before, String after)
      throws Exception {
    String key = newKey();
    CompletableFuture<Void> there = new CompletableFuture<>();
    try (TripApplication other = start(database, LONG_LEASE_MILLIS)) {
      CompletableFuture<HttpResponse<String>> waiting;
      try (TripApplication owner = startStuckAt(crash, there)) {
        owner.send(key);
        await(there);
        assertThat(String.join(", ", partners.calls)).isEqualTo(before);
        partners.calls.clear();
        waiting = other.send(key);
        Await.until("a waiter is parked", () -> other.node.parked() == 1);
      }
      endLease(key);
      HttpResponse<String> response = await(waiting);
      assertThat(response.statusCode()).isEqualTo(201);
      assertThat(response.body()).contains("room_0", "courier_0");
      assertThat(String.join(", ", partners.calls)).isEqualTo(after);
      assertOneTrip(key);
      assertThat(await(other.send(key)).body()).isEqualTo(response.body());
    }
  }

  /** Cuts a new connection at every message of the steps and the transaction. */
  @TestFactory
  Stream<DynamicTest> oneTripWhereverTheConnectionIsCut() throws Exception {
    CuttingProxy proxy = CuttingProxy.before(database);
    TripApplication application = start(proxy.through(database), LEASE_MILLIS);
    // If a connection breaks meanwhile, its statements are parsed again, which is not reproducible.
    List<CutPoint> points = CutPoint.inCommon(() -> recorded(application, proxy));
    for (String part : new String[] {"BEGIN", "INSERT INTO trip", "pg_notify", "COMMIT"}) {
      assertThat(points).as(part).anyMatch(point -> point.sql().contains(part));
    }
    return points.stream()
        .map(point -> DynamicTest.dynamicTest("" + point, () -> cut(application, proxy, point)))
        .onClose(
            () -> {
              application.close();
              proxy.close();
            });
  }

  /** Records the messages of one trip. Waits for one whose transaction was not rolled back. */
  private static List<CutPoint> recorded(TripApplication application, CuttingProxy proxy) {
    Await.until(
        "a trip without a rollback",
        () -> {
          awaitNewConnection(proxy);
          await(application.send(newKey()));
          return proxy.trace().stream().noneMatch(it -> it.sql().equals("ROLLBACK"));
        });
    return CutPoint.of(proxy.trace(), TripBookingTest::concernsTheTrip);
  }

  private static boolean concernsTheTrip(PgMessage message) {
    String sql = message.sql();
    // Whether leases are renewed depends on the speed of the machine.
    return !sql.contains("takeable")
        && !sql.contains("renewed AS")
        && !sql.contains("LISTEN")
        && !sql.startsWith("SET ")
        && !sql.equals("SELECT 1");
  }

  private static void awaitNewConnection(CuttingProxy proxy) {
    proxy.forget();
    proxy.cutAll();
    Await.until(
        "the node listens",
        () -> proxy.trace().stream().anyMatch(it -> it.isCommandComplete("LISTEN")));
    proxy.forget();
  }

  /** Waits for a trip that is cut at the point. Every trip must succeed. */
  private void cut(TripApplication application, CuttingProxy proxy, CutPoint point) {
    awaitNewConnection(proxy);
    CompletableFuture<PgMessage> cutting = point.arm(proxy);
    Await.until(
        "cut at " + point,
        () -> {
          assertOneTripDespiteACut(application);
          return cutting.isDone();
        });
  }

  private void assertOneTripDespiteACut(TripApplication application) {
    String key = newKey();
    int rooms = partners.rooms();
    int couriers = partners.couriers();

    HttpResponse<String> response = await(application.send(key));
    while (response.statusCode() != 201) {
      assertThat(response.body()).contains("\"retryable\":true");
      response = await(application.send(key));
    }

    assertThat(await(application.send(key)).body()).isEqualTo(response.body());
    assertThat(rows(key)).isEqualTo("1");
    assertThat(partners.rooms() - rooms).isEqualTo(1);
    assertThat(partners.couriers() - couriers).isEqualTo(1);
  }
}
