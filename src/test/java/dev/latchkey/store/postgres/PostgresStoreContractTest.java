package dev.latchkey.store.postgres;

import dev.latchkey.idempotency.spi.IdempotencyStore;
import dev.latchkey.idempotency.spi.ScopedKey;
import dev.latchkey.idempotency.spi.StoreException;
import dev.latchkey.store.EffectProbe;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.store.StoreContractTest;
import dev.latchkey.store.StoreFixture;
import dev.latchkey.testing.servers.PostgresServer;
import dev.latchkey.testing.servers.RealServers;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On a real server whose clock, as far as the store asks for it, is held by the test. */
class PostgresStoreContractTest extends StoreContractTest {

  private static final long BACK_SECONDS = 60;

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
    return new Fixture();
  }

  private static final class Fixture implements StoreFixture {
    @Override
    public IdempotencyStore store() {
      return store;
    }

    @Override
    public IdempotencyStore otherNode() {
      return other;
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
      awaitBack(other);
      return true;
    }

    private static void awaitBack(PostgresStore node) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(BACK_SECONDS);
      while (true) {
        try {
          StoreCalls.await(node.probe());
          StoreCalls.await(node.listening());
          return;
        } catch (StoreException away) {
          if (System.nanoTime() - deadline > 0) {
            throw new AssertionError("the store does not come back", away);
          }
        }
      }
    }
  }
}
