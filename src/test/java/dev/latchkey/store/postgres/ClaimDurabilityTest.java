package dev.latchkey.store.postgres;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.ClaimResult.Claimed;
import dev.latchkey.store.Attempt;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.PostgresServer;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Which commits wait until they are durable. A server that is to wait for a standby which never
 * comes lets only the asynchronous ones through.
 */
class ClaimDurabilityTest {

  private static final String WAITING =
      "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";

  @Test
  @Timeout(180)
  void onlyClaimsWithEffectsInTheStoreCommitAsynchronously() {
    try (PostgresServer server = RealServers.startPostgres()) {
      Database database = server.freshDatabase();
      try (PostgresNodes nodes = new PostgresNodes(database)) {
        PostgresStore store = nodes.open();
        PostgresStore other = nodes.open();
        set(database, "SET synchronous_standby_names = 'nobody'");

        Future<ClaimResult> durable = waits(store, database);
        ClaimRequest request = Attempt.atNewKey().request();
        ClaimRequest inStore =
            new ClaimRequest(request.claim(), request.retentionMillis(), request.mode(), true);
        assertThat(await(other.claim(inStore))).isInstanceOf(Claimed.class);
        assertThat(durable.isComplete()).isFalse();

        set(database, "RESET synchronous_standby_names");
        assertThat(await(durable)).isInstanceOf(Claimed.class);
      }
    }
  }

  /** Claims until a claim waits: the server takes up the setting when it pleases. */
  private static Future<ClaimResult> waits(PostgresStore store, Database database) {
    while (true) {
      Future<ClaimResult> claim = store.claim(Attempt.atNewKey().request());
      long startNanos = System.nanoTime();
      while (!claim.isComplete() && System.nanoTime() - startNanos < TimeUnit.SECONDS.toNanos(20)) {
        if (!"0".equals(database.value(WAITING))) {
          return claim;
        }
      }
    }
  }

  private static void set(Database database, String what) {
    database.value("ALTER SYSTEM " + what);
    database.value("SELECT pg_reload_conf()");
  }
}
