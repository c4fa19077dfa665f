package dev.latchkey.store.postgres;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.PurgeResult;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.servers.RealServers;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A purge is bounded by rows, bytes and time, and leaves no expired row behind. */
class PurgeTest {

  private PostgresNodes nodes;

  @BeforeEach
  void open() {
    nodes = new PostgresNodes(RealServers.freshDatabase());
  }

  @AfterEach
  void close() {
    nodes.close();
  }

  /** Inserts completed keys that expired one after another. */
  private void insertExpired(int count, int responseBytes) {
    nodes.database.value(
        """
        INSERT INTO latchkey_key SELECT 'purge', 'k' || i, 'r', 1, i, 2, 1, 0, 1, false, false,
          decode(repeat('00', 32), 'hex'), decode(repeat('00', 16), 'hex'), '',
          convert_to(repeat('x', %d), 'UTF8')
        FROM generate_series(1, %d) i
        """
            .formatted(responseBytes, count));
  }

  private long left() {
    return Long.parseLong(nodes.database.value("SELECT count(*) FROM latchkey_key"));
  }

  @Test
  void goesBeyondOneBatchUpToItsLimit() {
    PostgresStore store = nodes.open();
    insertExpired(1_300, 10);

    assertThat(await(store.purgeExpired(1_250))).isEqualTo(new PurgeResult(1_250, true));
    assertThat(await(store.purgeExpired(1_250))).isEqualTo(new PurgeResult(50, false));
  }

  @Test
  void isBoundedByBytes() {
    PostgresStore store = nodes.open();
    insertExpired(5, 600_000);

    assertThat(await(store.purgeExpired(1_000))).isEqualTo(new PurgeResult(2, true));
    assertThat(await(store.purgeExpired(1_000))).isEqualTo(new PurgeResult(2, true));
    assertThat(await(store.purgeExpired(1_000))).isEqualTo(new PurgeResult(1, false));
  }

  @Test
  void returnsToTheRowsThatItSkipped() throws SQLException {
    PostgresStore store = nodes.open();
    insertExpired(10, 10);
    try (Connection elsewhere = nodes.database.jdbc()) {
      elsewhere.setAutoCommit(false);
      elsewhere
          .createStatement()
          .execute("SELECT FROM latchkey_key WHERE key IN ('k3', 'k7') FOR UPDATE");
      assertThat(await(store.purgeExpired(1_000)).purged()).isEqualTo(8);
      elsewhere.rollback();
    }

    assertThat(await(store.purgeExpired(1_000))).isEqualTo(new PurgeResult(2, false));
  }

  @Test
  void readsNoDeletedRowAgainWhileAnOldSnapshotIsHeld() throws SQLException {
    PostgresStore store = nodes.open();
    insertExpired(1_000, 10);
    nodes.database.value("ANALYZE latchkey_key");
    try (Connection elsewhere = nodes.database.jdbc()) {
      elsewhere.setAutoCommit(false);
      elsewhere.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      elsewhere.createStatement().execute("SELECT count(*) FROM latchkey_key");
      String read =
          "SELECT idx_tup_read FROM pg_stat_user_indexes WHERE indexrelname = 'latchkey_key_expiry'";
      for (int i = 0; i < 10; i++) {
        assertThat(await(store.purgeExpired(100)).purged()).isEqualTo(100);
      }
      // The statistics of a session are sent when it ends.
      await(store.close());

      Await.until(
          "the purges are counted", () -> Long.parseLong(nodes.database.value(read)) >= 1_000);
      assertThat(Long.parseLong(nodes.database.value(read))).isLessThan(1_200);
      elsewhere.rollback();
    }
  }

  @Test
  void halvesABatchThatTakesTooLong() {
    PostgresStore store = nodes.open(new PostgresStoreOptions().setCallTimeoutMillis(2_500));
    insertExpired(500, 10);
    nodes.database.value(
        """
        CREATE FUNCTION test_slow() RETURNS trigger LANGUAGE plpgsql
          AS $$ BEGIN PERFORM pg_sleep(0.01); RETURN OLD; END $$;
        CREATE TRIGGER test_slow BEFORE DELETE ON latchkey_key
          FOR EACH ROW EXECUTE FUNCTION test_slow();
        """);

    assertThat(await(store.purgeExpired(500)).purged()).isEqualTo(500);

    assertThat(left()).isZero();
  }
}
