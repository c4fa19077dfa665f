package dev.latchkey.store.postgres;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.CompleteResult.Completed;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.TransactionWork;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** A completion that is sent again while the server is still committing it. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class CommitInDoubtTest {

  /** Whoever commits a mark waits for an advisory lock. */
  private static final String SLOW_COMMIT =
      """
      CREATE FUNCTION test_hold() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN PERFORM pg_advisory_xact_lock_shared(7); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER test_held AFTER INSERT ON test_mark
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION test_hold();
      """;

  private static final PostgresStoreOptions LONG_LOCKS =
      PostgresNodes.patient().setLockTimeoutMillis(30_000);

  private PostgresNodes nodes;
  private Connection holder;

  @BeforeEach
  void open() throws SQLException {
    nodes = new PostgresNodes(RealServers.freshDatabase());
    nodes.database.value(SLOW_COMMIT);
    holder = nodes.database.jdbc();
  }

  @AfterEach
  void close() throws SQLException {
    holder.close();
    nodes.close();
  }

  /** Waits until somebody waits for a lock of this kind. */
  private void awaitWaiting(String kind) {
    String waiting =
        "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = '"
            + kind
            + "' AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())";
    Await.until("a statement waits", () -> !nodes.database.value(waiting).equals("0"));
  }

  private void holdCommits(boolean hold) throws SQLException {
    String function = hold ? "pg_advisory_lock(7)" : "pg_advisory_unlock(7)";
    holder.createStatement().execute("SELECT " + function);
  }

  private void bothAreTold(BiFunction<PostgresStore, Attempt, Future<CompleteResult>> completing)
      throws SQLException {
    PostgresStore store = nodes.open(LONG_LOCKS);
    Attempt attempt = Attempt.atNewKey();
    new StoreCalls(store).claimed(attempt);
    holdCommits(true);
    Future<CompleteResult> first = completing.apply(store, attempt);
    awaitWaiting("advisory");
    Future<CompleteResult> again = completing.apply(store, attempt);
    awaitWaiting("transactionid");
    holdCommits(false);

    assertThat(await(first)).isInstanceOf(Completed.class);
    assertThat(await(again)).isInstanceOf(Completed.class);
    assertThat(nodes.effects.counted("once")).isEqualTo(1);
  }

  @Test
  void effectOfTheSameClaimIsNotRefused() throws SQLException {
    List<Effect> effects = List.of(nodes.effects.applies("mine"), nodes.effects.counts("once"));

    bothAreTold((store, attempt) -> store.complete(attempt.claim(), StoreCalls.CREATED, effects));
  }

  @Test
  void workThatIsAlreadyCommittedIsCompleted() throws SQLException {
    bothAreTold(
        (store, attempt) ->
            store.complete(attempt.claim(), new Marking(), List.of(nodes.effects.counts("once"))));
  }

  private record Marking() implements TransactionWork<SqlConnection> {
    @Override
    public Class<SqlConnection> connectionType() {
      return SqlConnection.class;
    }

    @Override
    public Future<Optional<StoredResponse>> run(SqlConnection connection) {
      return connection
          .query("INSERT INTO test_mark VALUES ('mine')")
          .execute()
          .map(rows -> Optional.of(StoreCalls.CREATED));
    }
  }
}
