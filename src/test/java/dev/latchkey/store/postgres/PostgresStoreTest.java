package dev.latchkey.store.postgres;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.ClaimResult.Claimed;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StepResult;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.Race;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.store.postgres.connection.SessionSettings;
import dev.latchkey.store.postgres.effect.PostgresEffectKinds;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is particular to this store, on the server's own clock. */
class PostgresStoreTest {

  private static PostgresNodes nodes;
  private static PostgresStore store;

  @BeforeAll
  static void open() {
    nodes = new PostgresNodes(RealServers.freshDatabase());
    store = nodes.open();
  }

  @AfterAll
  static void close() {
    nodes.close();
  }

  private static void awaitServersClock(long millis) {
    long until = serversClock() + millis;
    while (serversClock() < until) {
      Thread.onSpinWait();
    }
  }

  private static long serversClock() {
    return Long.parseLong(nodes.database.value("SELECT latchkey_now()"));
  }

  @Test
  void serversClockEndsLeaseAndRetention() {
    StoreCalls calls = new StoreCalls(store);
    Attempt dead = Attempt.atNewKey().withLease(50);
    Attempt expired = Attempt.atNewKey().withLease(50).withRetention(50);
    calls.claimed(dead);
    calls.claimed(expired);
    long nowMillis = serversClock();
    awaitServersClock(60);

    assertThat(calls.claimed(dead.retried()).takenOver()).isTrue();
    assertThat(calls.claimed(expired.otherRequest()).attempt()).isEqualTo(1);
    assertThat(nowMillis).isCloseTo(System.currentTimeMillis(), within());
  }

  private static org.assertj.core.data.Offset<Long> within() {
    return org.assertj.core.data.Offset.offset(TimeUnit.HOURS.toMillis(1));
  }

  @Test
  void longestRetentionDoesNotOverflow() {
    Attempt forever = Attempt.atNewKey().withLease(Long.MAX_VALUE).withRetention(Long.MAX_VALUE);
    StoreCalls calls = new StoreCalls(store);

    assertThat(calls.claimed(forever).expiry().inMillis()).isEqualTo(Expiry.MAX_DURATION_MILLIS);
    assertThat(calls.renew(forever)).isEmpty();
    assertThat(calls.claim(forever.retried())).isInstanceOf(ClaimResult.InFlight.class);
    calls.completed(forever);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\u0000b", "a\ud800", "\udc00b"})
  void textThatPostgresCannotStoreIsRefused(String text) {
    ScopedKey key = new ScopedKey(text, "POST /", "k");
    Attempt attempt = Attempt.at(key);
    for (Future<?> call :
        List.of(
            store.claim(attempt.request()),
            store.complete(attempt.claim(), StoreCalls.CREATED, List.of()),
            store.release(attempt.claim()),
            store.renew(List.of(attempt.claim())),
            store.watch(key),
            store.lookup(Attempt.at(new ScopedKey("t", text, "k")).key()))) {
      assertThatThrownBy(() -> await(call))
          .hasMessageContaining("a retry cannot help")
          .isInstanceOfSatisfying(
              StoreException.class, it -> assertThat(it.outcome()).isEqualTo(Outcome.NOT_DONE));
    }
    assertThat(await(store.records(text, "k", 5))).isEmpty();
  }

  /** Either the step was too late, or whoever takes over is told of it. */
  @Test
  void noStepIsLostBetweenItsRecordAndATakeover() {
    StoreCalls calls = new StoreCalls(store);
    int recorded = 0;
    try (Race race = new Race(3)) {
      for (int round = 0; round < 150; round++) {
        Attempt dead = Attempt.atNewKey().withLease(1);
        calls.claimed(dead);
        awaitServersClock(3);
        List<Object> results =
            race.run(
                number ->
                    number == 2
                        ? calls.claim(dead.retried().withLease(Attempt.LONG_LEASE_MILLIS))
                        : calls.step(dead, "step " + number, "x"));
        Map<?, ?> steps = results.get(2) instanceof Claimed claimed ? claimed.steps() : Map.of();
        for (int number = 0; number < 2; number++) {
          if (results.get(2) instanceof Claimed && results.get(number) == StepResult.RECORDED) {
            recorded++;
            assertThat(steps.containsKey("step " + number)).as("%s", results).isTrue();
          }
        }
      }
    }
    assertThat(recorded).as("rounds in which a step came first").isPositive();
  }

  @Test
  void sameStepAtTheSameTimeIsRecordedOnce() {
    StoreCalls calls = new StoreCalls(store);
    StoreCalls elsewhere = new StoreCalls(nodes.open());
    try (Race race = new Race(8)) {
      for (int round = 0; round < 20; round++) {
        Attempt owner = Attempt.atNewKey();
        calls.claimed(owner);
        assertThat(
                race.run(
                    number -> {
                      StoreCalls node = number % 2 == 0 ? calls : elsewhere;
                      return node.step(owner, "charge", "by " + number);
                    }))
            .containsOnly(StepResult.RECORDED);
        assertThat(calls.claimed(owner).steps()).hasSize(1);
      }
    }
    assertThat(
            nodes.database.value(
                "SELECT count(*) FROM latchkey_step WHERE name = 'charge' AND step > 1"))
        .isEqualTo("0");
  }

  @Test
  void stepsAreDeletedWithTheirKey() {
    StoreCalls calls = new StoreCalls(store);
    Attempt expired = Attempt.atNewKey().withLease(30).withRetention(30);
    calls.claimed(expired);
    calls.step(expired, "charge", "x");
    awaitServersClock(60);

    assertThat(await(store.purgeExpired(1_000)).purged()).isPositive();

    assertThat(
            nodes.database.value(
                "SELECT count(*) FROM latchkey_step WHERE key = '" + expired.key().key() + "'"))
        .isEqualTo("0");
  }

  @Test
  void completionThatIsSentAgainAfterItExpiredIsNotAppliedAgain() {
    Attempt attempt = Attempt.atNewKey();
    StoreCalls calls = new StoreCalls(store);
    calls.claimed(attempt);
    calls.completed(attempt, nodes.effects.counts("expired"));
    nodes.database.value(
        "UPDATE latchkey_key SET expires_at_millis = 1, lease_until_millis = 1 WHERE key = '"
            + attempt.key().key()
            + "'");

    calls.completed(attempt, nodes.effects.counts("expired"));

    assertThat(nodes.effects.counted("expired")).isEqualTo(1);
    assertThat(calls.lookup(attempt)).isInstanceOf(KeyState.Absent.class);
  }

  @Test
  void concurrentPurgeDoesNothing() throws SQLException {
    Attempt expired = Attempt.atNewKey().withLease(1).withRetention(1);
    new StoreCalls(store).claimed(expired);
    awaitServersClock(5);
    try (Connection elsewhere = nodes.database.jdbc()) {
      elsewhere.setAutoCommit(false);
      elsewhere.createStatement().execute("SELECT pg_advisory_xact_lock(7305445081266254202)");
      assertThat(await(store.purgeExpired(1_000)).purged()).isZero();
      elsewhere.rollback();
    }
    assertThat(await(store.purgeExpired(1_000)).purged()).isPositive();
  }

  @ParameterizedTest
  @EnumSource
  void everyConnectionHasItsSettings(SessionSettings session) {
    Database database = nodes.database;
    database.value("ALTER DATABASE " + database.name() + " SET synchronous_commit = off");
    PgConnectOptions options =
        session.options(database.connectOptions(), PostgresNodes.patient().limits());
    PgConnection connection = await(PgConnection.connect(nodes.vertx, options));
    for (Map.Entry<String, String> setting :
        Map.of(
                "synchronous_commit", "on",
                "default_transaction_isolation", "read committed",
                "enable_seqscan", "off",
                "jit", "off",
                "lock_timeout", "250ms",
                "statement_timeout", "16s",
                "idle_in_transaction_session_timeout", "40s",
                "application_name", "latchkey")
            .entrySet()) {
      String value =
          await(
              connection
                  .query("SHOW " + setting.getKey())
                  .execute()
                  .map(rows -> rows.iterator().next().getString(0)));
      assertThat(value).as(setting.getKey()).isEqualTo(setting.getValue());
    }
    await(connection.close());
    database.value("ALTER DATABASE " + database.name() + " RESET synchronous_commit");
  }

  @Test
  void connectionsAreBoundedHoweverManyEventLoopsCall() {
    PostgresStore bounded = nodes.open(PostgresNodes.patient().setApplicationName("bounded"));
    claimOnFiftyEventLoops(bounded);

    // One for claims and the one that listens.
    assertThat(connections("bounded")).isEqualTo(2);
  }

  private static void claimOnFiftyEventLoops(PostgresStore by) {
    for (int i = 0; i < 50; i++) {
      Promise<ClaimResult> promise = Promise.promise();
      ((VertxInternal) nodes.vertx)
          .createEventLoopContext()
          .runOnContext(v -> by.claim(Attempt.atNewKey().request()).onComplete(promise));
      assertThat(await(promise.future())).isInstanceOf(Claimed.class);
    }
  }

  private static int connections(String applicationName) {
    return Integer.parseInt(
        nodes.database.value(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = '"
                + applicationName
                + "'"));
  }

  @Test
  void missingSchemaAndRefusedLoginAreReportedInOneLine() {
    Vertx vertx = nodes.vertx;
    Database empty = RealServers.freshDatabase();
    PostgresStore unmigrated =
        PostgresStore.create(
            vertx, empty.connectOptions(), PostgresNodes.patient(), PostgresEffectKinds.NONE);
    assertThatThrownBy(() -> await(unmigrated.probe()))
        .hasMessage("probe: the schema is missing: migrate first; a retry is safe");
    assertThatThrownBy(() -> await(unmigrated.claim(Attempt.atNewKey().request())))
        .isInstanceOfSatisfying(
            StoreException.class, it -> assertThat(it.outcome()).isEqualTo(Outcome.NOT_DONE));
    await(unmigrated.close());
    PgConnectOptions wrong = empty.connectOptions().setPassword("wrong");
    assertThatThrownBy(() -> await(PostgresSchema.keys().migrate(vertx, wrong)))
        .isInstanceOf(StoreException.class)
        .message()
        .doesNotContain("\n", "wrong");
  }
}
