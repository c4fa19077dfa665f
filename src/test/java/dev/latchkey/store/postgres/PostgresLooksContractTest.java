package dev.latchkey.store.postgres;

import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.store.StoreContractTest;
import dev.latchkey.store.StoreFixture;
import dev.latchkey.testing.servers.PostgresServer;
import dev.latchkey.testing.servers.RealServers;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The same with stores each of whose claims looks for a completed key first. */
class PostgresLooksContractTest extends StoreContractTest {

  private static final String LOOKING =
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query = $$"
          + ClaimSql.LOOK
          + "$$";

  private static PostgresServer server;
  private static PostgresNodes nodes;
  private static PostgresStore store;
  private static PostgresStore other;

  @BeforeAll
  static void openNodes() {
    server = RealServers.startPostgres();
    nodes = new PostgresNodes(server.freshDatabase());
    nodes.holdClock();
    store = nodes.openLooking(PostgresNodes.PATIENT, nodes.database);
    other = nodes.openLooking(PostgresNodes.PATIENT, nodes.database);
    List<StoreCalls> both = List.of(new StoreCalls(store), new StoreCalls(other));
    while (!nodes.database.value(LOOKING).equals("2")) {
      both.forEach(it -> it.claimed(Attempt.atNewKey()));
    }
  }

  @AfterAll
  static void closeNodes() {
    nodes.close();
    server.close();
  }

  @Override
  protected StoreFixture open() {
    nodes.database.value("TRUNCATE latchkey_key CASCADE");
    return new PostgresContractFixture(server, nodes, store, other);
  }
}
