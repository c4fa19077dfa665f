package dev.latchkey.store.postgres;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.CompleteResult.Completed;
import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.CompleteResult.LostLease;
import dev.latchkey.core.spi.CompleteResult.RolledBack;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.TransactionWork;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.NotificationLog;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.sqlclient.Query;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The application's own work inside the completing transaction. */
class TransactionWorkTest {

  private static PostgresNodes nodes;
  private static PostgresStore store;
  private static PostgresStore other;

  @BeforeAll
  static void open() {
    nodes = new PostgresNodes(RealServers.freshDatabase());
    nodes.holdClock();
    store = nodes.open();
    other = nodes.open();
  }

  @AfterAll
  static void close() {
    nodes.close();
  }

  private record Work(Function<SqlConnection, Future<Optional<StoredResponse>>> body)
      implements TransactionWork<SqlConnection> {
    @Override
    public Class<SqlConnection> connectionType() {
      return SqlConnection.class;
    }

    @Override
    public Future<Optional<StoredResponse>> run(SqlConnection connection) {
      return body.apply(connection);
    }
  }

  private static Work marks(String mark) {
    return new Work(
        connection -> insert(connection, mark).map(rows -> Optional.of(StoreCalls.OTHER)));
  }

  private static Future<RowSet<Row>> insert(SqlConnection connection, String mark) {
    return connection.query("INSERT INTO test_mark VALUES ('" + mark + "')").execute();
  }

  private static CompleteResult complete(Attempt attempt, Work work, Effect... effects) {
    return await(store.complete(attempt.claim(), work, List.of(effects)));
  }

  private static Attempt claimed() {
    Attempt attempt = Attempt.atNewKey();
    new StoreCalls(store).claimed(attempt);
    return attempt;
  }

  private static boolean isHeldBy(Attempt attempt) {
    return new StoreCalls(store).lookup(attempt) instanceof KeyState.InProgress state
        && state.token().equals(attempt.token());
  }

  @Test
  void writesResponseAndEffectsCommitTogether() {
    Attempt attempt = claimed();

    assertThat(complete(attempt, marks("together"), nodes.effects.counts("together")))
        .isInstanceOf(Completed.class);

    assertThat(nodes.effects.isApplied("together")).isTrue();
    assertThat(nodes.effects.counted("together")).isEqualTo(1);
    assertThat(((KeyState.Completed) new StoreCalls(store).lookup(attempt)).response())
        .isEqualTo(StoreCalls.OTHER);
  }

  @Test
  void withoutResponseAllIsRolledBackAndTheClaimStays() {
    Attempt attempt = claimed();
    Work gaveUp =
        new Work(connection -> insert(connection, "gave up").map(rows -> Optional.empty()));
    Work failed =
        new Work(connection -> insert(connection, "failed").map(rows -> failing("in the work")));
    Work thrown =
        new Work(
            connection -> {
              throw new IllegalStateException("at once");
            });

    for (Work work : List.of(gaveUp, failed, thrown)) {
      assertThat(complete(attempt, work)).isInstanceOf(RolledBack.class);
      assertThat(isHeldBy(attempt)).isTrue();
    }

    assertThat(nodes.effects.isApplied("gave up")).isFalse();
    assertThat(nodes.effects.isApplied("failed")).isFalse();
    assertThat(complete(attempt, marks("at last"))).isInstanceOf(Completed.class);
  }

  private static <T> T failing(String why) {
    throw new IllegalStateException(why);
  }

  @Test
  void workThatGoesOnAfterAFailedStatementIsRolledBack() {
    Attempt attempt = claimed();
    Work careless =
        new Work(
            connection ->
                insert(connection, "careless")
                    .compose(rows -> insert(connection, "careless"))
                    .transform(done -> Future.succeededFuture(Optional.of(StoreCalls.CREATED))));

    assertThat(complete(attempt, careless)).isInstanceOf(RolledBack.class);

    assertThat(nodes.effects.isApplied("careless")).isFalse();
    assertThat(isHeldBy(attempt)).isTrue();
  }

  @Test
  void workIsNotExecutedWithoutTheClaim() {
    Attempt released = claimed();
    new StoreCalls(store).released(released);
    Attempt completed = claimed();
    long expiresAt = new StoreCalls(store).completed(completed).atEpochMillis();
    AtomicInteger runs = new AtomicInteger();
    Work counted =
        new Work(
            connection -> {
              runs.incrementAndGet();
              return Future.succeededFuture(Optional.of(StoreCalls.OTHER));
            });

    assertThat(complete(Attempt.atNewKey(), counted)).isInstanceOf(LostLease.class);
    assertThat(complete(released, counted)).isInstanceOf(LostLease.class);
    assertThat(((Completed) complete(completed, counted)).expiry().atEpochMillis())
        .isEqualTo(expiresAt);
    assertThat(runs).hasValue(0);
  }

  @Test
  void refusedEffectRollsTheWorkBack() {
    Attempt attempt = claimed();

    assertThat(complete(attempt, marks("refused with"), nodes.effects.refused()))
        .isInstanceOf(EffectRefused.class);

    assertThat(nodes.effects.isApplied("refused with")).isFalse();
    assertThat(isHeldBy(attempt)).isTrue();
  }

  @Test
  void lentConnectionCanNeitherEndTheTransactionNorOutliveIt() {
    Attempt attempt = claimed();
    AtomicReference<SqlConnection> kept = new AtomicReference<>();
    AtomicReference<Query<RowSet<Row>>> query = new AtomicReference<>();
    Work curious =
        new Work(
            connection -> {
              kept.set(connection);
              query.set(connection.query("INSERT INTO test_mark VALUES ('afterwards')"));
              assertThat(connection.close().failed()).isTrue();
              assertThat(connection.begin().failed()).isTrue();
              assertThatThrownBy(connection::transaction).isInstanceOf(IllegalStateException.class);
              return connection
                  .prepare("INSERT INTO test_mark VALUES ($1)")
                  .compose(it -> it.query().execute(io.vertx.sqlclient.Tuple.of("prepared")))
                  .map(rows -> Optional.of(StoreCalls.CREATED));
            });

    assertThat(complete(attempt, curious)).isInstanceOf(Completed.class);

    assertThat(nodes.effects.isApplied("prepared")).isTrue();
    assertThat(query.get().execute().failed()).isTrue();
    assertThatThrownBy(() -> kept.get().query("SELECT 1"))
        .isInstanceOf(IllegalStateException.class);
    assertThat(nodes.effects.isApplied("afterwards")).isFalse();
  }

  @Test
  void workThatCommitsByItselfDoesNotCompleteItsKey() {
    Attempt attempt = claimed();
    Work commits =
        new Work(
            connection ->
                connection.query("COMMIT").execute().map(rows -> Optional.of(StoreCalls.CREATED)));

    assertThatThrownBy(() -> complete(attempt, commits))
        .hasMessageContaining("the work ended the transaction");

    assertThat(isHeldBy(attempt)).isTrue();
  }

  @Test
  void workBlocksNoOtherCallAndIsNotTakenOver() {
    NotificationLog.undisturbed(
        () -> {
          Attempt attempt = claimed();
          Promise<Optional<StoredResponse>> answer = Promise.promise();
          Promise<Void> running = Promise.promise();
          Work slow =
              new Work(
                  connection -> {
                    running.complete();
                    return answer.future();
                  });
          Future<CompleteResult> completion = store.complete(attempt.claim(), slow, List.of());
          await(running.future());
          StoreCalls elsewhere = new StoreCalls(other);
          try (NotificationLog log = new NotificationLog(other)) {
            assertThat(elsewhere.watch(attempt)).isInstanceOf(KeyState.InProgress.class);
            assertThat(elsewhere.renew(attempt)).isEmpty();
            nodes.advanceMillis(2 * Attempt.LONG_LEASE_MILLIS);
            assertThat(elsewhere.claim(attempt.retried())).isInstanceOf(ClaimResult.InFlight.class);

            answer.complete(Optional.of(StoreCalls.CREATED));

            assertThat(await(completion)).isInstanceOf(Completed.class);
            assertThat(log.awaitSettled(attempt.key())).isTrue();
          }
        });
  }

  @Test
  void workThatTakesTooLongIsRolledBack() {
    Attempt attempt = Attempt.atNewKey().withLease(2_000);
    new StoreCalls(store).claimed(attempt);
    AtomicReference<SqlConnection> kept = new AtomicReference<>();
    Work endless =
        new Work(
            connection -> {
              kept.set(connection);
              return insert(connection, "endless").compose(rows -> Future.future(never -> {}));
            });

    assertThat(complete(attempt, endless)).isInstanceOf(RolledBack.class);

    assertThatThrownBy(() -> insert(kept.get(), "too late"))
        .isInstanceOf(IllegalStateException.class);
    Attempt patient = attempt.withLease(Attempt.LONG_LEASE_MILLIS);
    assertThat(complete(patient, marks("in time"))).isInstanceOf(Completed.class);
    assertThat(nodes.effects.isApplied("endless")).isFalse();
  }

  private static Future<RowSet<Row>> run(SqlConnection connection, String sql) {
    return connection.query(sql).execute();
  }

  @Test
  void workLongerThanAStatementIsExecutedOnceAndCommits() {
    // A statement may take 3 s, the work as long as half the lease.
    PostgresStore quick = nodes.open(new PostgresStoreOptions().setCallTimeoutMillis(6_000));
    Attempt attempt = claimed();
    AtomicInteger executions = new AtomicInteger();
    Work slow =
        new Work(
            connection -> {
              executions.incrementAndGet();
              return run(connection, "SELECT pg_sleep(2)")
                  .compose(rows -> run(connection, "SELECT pg_sleep(2)"))
                  .map(rows -> Optional.of(StoreCalls.CREATED));
            });

    assertThat(await(quick.complete(attempt.claim(), slow, List.of())))
        .isInstanceOf(Completed.class);
    assertThat(executions).hasValue(1);
  }

  @Test
  void workThatBreaksItsConnectionEachTimeIsRetriedOnceAndRolledBack() {
    Attempt attempt = claimed();
    AtomicInteger executions = new AtomicInteger();
    Work breaking =
        new Work(
            connection -> {
              executions.incrementAndGet();
              return run(connection, "SELECT pg_terminate_backend(pg_backend_pid())")
                  .map(rows -> Optional.of(StoreCalls.CREATED));
            });

    assertThat(complete(attempt, breaking)).isInstanceOf(RolledBack.class);
    assertThat(executions).hasValue(2);
    assertThat(complete(attempt, marks("after the break"))).isInstanceOf(Completed.class);
  }

  @Test
  void moreTransactionsThanConnectionsTakeTurns() {
    List<Attempt> attempts =
        java.util.stream.IntStream.range(0, 40).mapToObj(i -> claimed()).toList();

    assertThat(
            nodes.atOnce(
                attempts.stream()
                    .<java.util.function.Supplier<Future<CompleteResult>>>map(
                        it -> () -> store.complete(it.claim(), marks(it.key().key()), List.of()))
                    .toList()))
        .allSatisfy(it -> assertThat(it).isInstanceOf(Completed.class));
  }

  @Test
  void workNeedsASqlConnection() {
    assertThat(store.runsTransactionsOn(SqlConnection.class)).isTrue();
    assertThat(store.runsTransactionsOn(java.sql.Connection.class)).isFalse();
  }

  @Test
  void transactionIsOneCallWhateverItSends() {
    PostgresStore narrow = nodes.open(PostgresNodes.patient().setMaxQueue(1));
    Attempt attempt = claimed();
    List<Effect> effects = List.of(nodes.effects.applies("whole"), nodes.effects.counts("whole"));

    assertThat(await(narrow.complete(attempt.claim(), StoreCalls.CREATED, effects)))
        .isInstanceOf(Completed.class);
  }
}
