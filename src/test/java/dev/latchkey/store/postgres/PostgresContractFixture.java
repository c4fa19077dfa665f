package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.store.EffectProbe;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.store.StoreFixture;
import dev.latchkey.testing.servers.PostgresServer;
import dev.latchkey.testing.servers.RealServers;
import java.util.Optional;
import java.util.function.Function;

/**
 * Two stores on a real server whose clock, as far as they ask for it, is held by the test. Started
 * once for all tests of a class, and empty for each.
 */
record PostgresContractFixture(
    PostgresServer server, PostgresNodes nodes, PostgresStore store, PostgresStore otherNode)
    implements StoreFixture {

  /** Starts a server and opens two stores on it. */
  static PostgresContractFixture start(Function<PostgresNodes, PostgresStore> opening) {
    PostgresServer server = RealServers.startPostgres();
    PostgresNodes nodes = new PostgresNodes(server.freshDatabase());
    nodes.holdClock();
    return new PostgresContractFixture(server, nodes, opening.apply(nodes), opening.apply(nodes));
  }

  /** The same, without records. */
  PostgresContractFixture emptied() {
    nodes.database.value("TRUNCATE latchkey_key CASCADE");
    return this;
  }

  /** Ends stores and server; {@link #close} is for the end of one test. */
  void stop() {
    nodes.close();
    server.close();
  }

  @Override
  public void advanceMillis(long millis) {
    nodes.advanceMillis(millis);
  }

  @Override
  public boolean hasExactClock() {
    return true;
  }

  @Override
  public Optional<EffectProbe> effects() {
    return Optional.of(nodes.effects);
  }

  @Override
  public boolean forget(ScopedKey key) {
    nodes.database.value("DELETE FROM latchkey_key WHERE key = '" + key.key() + "'");
    return true;
  }

  @Override
  public boolean restart() {
    server.restart();
    awaitBack(store);
    awaitBack(otherNode);
    return true;
  }

  private static void awaitBack(PostgresStore node) {
    StoreCalls.eventually(node::probe);
    StoreCalls.eventually(node::listening);
  }
}
