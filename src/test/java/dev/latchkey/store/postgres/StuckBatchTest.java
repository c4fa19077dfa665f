package dev.latchkey.store.postgres;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.CompleteResult.Completed;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.store.postgres.batch.TurnTaking;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** A batch of completions that is stuck, which a claim waits for, but not until it has ended. */
class StuckBatchTest {

  private static final int LARGE = 2 * TurnTaking.MIN_AWAITED;

  private static final String WAITING =
      " FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

  private PostgresNodes nodes;
  private PostgresStore store;
  private Connection elsewhere;
  private List<Supplier<Future<CompleteResult>>> calls;
  private List<Future<CompleteResult>> stuck;

  /** Completions one of which changes a row that another transaction has locked. */
  @BeforeEach
  @Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
  void open() throws SQLException {
    nodes = new PostgresNodes(RealServers.freshDatabase());
    store =
        nodes.open(
            new PostgresStoreOptions().setCallTimeoutMillis(200_000).setLockTimeoutMillis(60_000));
    nodes.database.value("INSERT INTO test_counter VALUES ('locked', 0)");
    elsewhere = nodes.database.jdbc();
    elsewhere.setAutoCommit(false);
    elsewhere.createStatement().execute("UPDATE test_counter SET n = n WHERE name = 'locked'");
    calls = new ArrayList<>();
    for (int i = 0; i <= LARGE; i++) {
      Attempt attempt = Attempt.atNewKey();
      new StoreCalls(store).claimed(attempt);
      Effect effect = nodes.effects.counts(i == LARGE ? "locked" : "row " + i);
      calls.add(() -> store.complete(attempt.claim(), StoreCalls.CREATED, List.of(effect)));
    }
    stuck = await(nodes.started(calls));
    Await.until(
        "a statement waits", () -> nodes.database.value("SELECT count(*)" + WAITING).equals("1"));
  }

  @AfterEach
  void close() throws SQLException {
    elsewhere.close();
    nodes.close();
  }

  @Test
  void claimIsGrantedWhileTheBatchIsStuck() throws SQLException {
    new StoreCalls(store).claimed(Attempt.atNewKey());

    assertThat(stuck.get(LARGE).isComplete()).isFalse();
    elsewhere.rollback();
    stuck.forEach(it -> assertThat(await(it)).isInstanceOf(Completed.class));
    assertThat(nodes.effects.counted("locked")).isEqualTo(1);
  }

  @Test
  void connectionLossFailsOnlyTheBatchAndEachCallIsResolved() throws SQLException {
    Attempt beside = Attempt.atNewKey();
    var claim = store.claim(beside.request());

    nodes.database.value("SELECT pg_terminate_backend(pid)" + WAITING);

    assertThatThrownBy(() -> await(stuck.get(LARGE))).isInstanceOf(StoreException.class);
    await(claim);
    elsewhere.rollback();
    assertThat(nodes.atOnce(calls)).allSatisfy(it -> assertThat(it).isInstanceOf(Completed.class));
    assertThat(nodes.effects.counted("locked")).isEqualTo(1);
    assertThat(nodes.effects.counted("row 3")).isEqualTo(1);
  }
}
