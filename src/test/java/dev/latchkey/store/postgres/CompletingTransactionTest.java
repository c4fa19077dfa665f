package dev.latchkey.store.postgres;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.CompleteResult.RolledBack;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.TransactionWork;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.store.postgres.effect.EffectSql;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A completing transaction whose BEGIN or COMMIT fails. */
class CompletingTransactionTest {

  private PostgresNodes nodes;
  private PostgresStore store;
  private final Attempt attempt = Attempt.atNewKey();

  @BeforeEach
  void open() {
    nodes = new PostgresNodes(RealServers.freshDatabase());
    store = nodes.open();
    new StoreCalls(store).claimed(attempt);
  }

  @AfterEach
  void close() {
    nodes.close();
  }

  private boolean isHeld() {
    return new StoreCalls(store).lookup(attempt) instanceof KeyState.InProgress;
  }

  /** BEGIN failed, so the server executes each of the pipelined statements by itself. */
  @Test
  void statementsWriteNothingWithoutTheirTransaction() {
    PgConnection connection =
        await(PgConnection.connect(nodes.vertx, nodes.database.connectOptions()));
    KeyLock key = KeyLock.of(attempt.claim());
    KeyLock.Prepared lock = key.lockFor(1_000, 1_000);
    KeyLock.Prepared complete = key.completeWith(Buffer.buffer("response"));
    String effect =
        EffectSql.alone(nodes.effects.kindOf(nodes.effects.applies("alone")).orElseThrow());

    await(connection.preparedQuery(lock.sql()).execute(lock.values()));
    assertLost(connection.preparedQuery(effect).execute(Tuple.of("alone")));
    assertLost(connection.preparedQuery(complete.sql()).execute(complete.values()));

    assertThat(nodes.effects.isApplied("alone")).isFalse();
    assertThat(isHeld()).isTrue();
    await(connection.close());
  }

  private static void assertLost(Future<?> statement) {
    assertThatThrownBy(() -> await(statement))
        .isInstanceOf(PgException.class)
        .hasMessageContaining("LK002");
  }

  /** A conflict may not repeat itself, so the work is executed once more. */
  @ParameterizedTest
  @CsvSource({"P0001, 1", "40001, 2"})
  void workWhoseCommitFailsIsRolledBack(String sqlState, int expectedExecutions) {
    nodes.database.value(
        """
        CREATE FUNCTION test_fail() RETURNS trigger LANGUAGE plpgsql
          AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = '%s'; END $$;
        CREATE CONSTRAINT TRIGGER test_failing AFTER INSERT ON test_mark
          DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION test_fail();
        """
            .formatted(sqlState));
    Marking work = new Marking(new AtomicInteger());

    assertThat(await(store.complete(attempt.claim(), work, List.of())))
        .isInstanceOf(RolledBack.class);

    assertThat(work.executions).hasValue(expectedExecutions);
    assertThat(nodes.effects.isApplied("mine")).isFalse();
    assertThat(isHeld()).isTrue();
  }

  private record Marking(AtomicInteger executions) implements TransactionWork<SqlConnection> {
    @Override
    public Class<SqlConnection> connectionType() {
      return SqlConnection.class;
    }

    @Override
    public Future<Optional<StoredResponse>> run(SqlConnection connection) {
      executions.incrementAndGet();
      return connection
          .query("INSERT INTO test_mark VALUES ('mine')")
          .execute()
          .map(rows -> Optional.of(StoreCalls.CREATED));
    }
  }
}
