package dev.latchkey.store.postgres;

import dev.latchkey.store.StoreContractTest;
import dev.latchkey.store.StoreFixture;
import dev.latchkey.testing.servers.PostgresServer;
import dev.latchkey.testing.servers.RealServers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On a real server whose clock, as far as the store asks for it, is held by the test. */
class PostgresStoreContractTest extends StoreContractTest {

  private static PostgresServer server;
  private static PostgresNodes nodes;
  private static PostgresStore store;
  private static PostgresStore other;

  @BeforeAll
  static void openNodes() {
    server = RealServers.startPostgres();
    nodes = new PostgresNodes(server.freshDatabase());
    nodes.holdClock();
    store = nodes.open();
    other = nodes.open();
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
