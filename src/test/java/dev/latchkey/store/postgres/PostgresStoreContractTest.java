package dev.latchkey.store.postgres;

import dev.latchkey.idempotency.spi.IdempotencyStore;
import dev.latchkey.idempotency.spi.ScopedKey;
import dev.latchkey.store.EffectProbe;
import dev.latchkey.store.StoreContractTest;
import dev.latchkey.store.StoreFixture;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.RealServers;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On a real server whose clock, as far as the store asks for it, is held by the test. */
class PostgresStoreContractTest extends StoreContractTest {

  private static final String HELD_CLOCK =
      """
      CREATE TABLE test_clock (millis bigint NOT NULL);
      INSERT INTO test_clock VALUES (1700000000000);
      CREATE OR REPLACE FUNCTION latchkey_now() RETURNS bigint LANGUAGE sql STABLE
        AS 'SELECT millis FROM test_clock';
      """;

  private static PostgresNodes nodes;
  private static PostgresStore store;
  private static PostgresStore other;

  @BeforeAll
  static void openNodes() {
    nodes = new PostgresNodes(RealServers.freshDatabase());
    nodes.database.value(HELD_CLOCK);
    store = nodes.open();
    other = nodes.open();
  }

  @AfterAll
  static void closeNodes() {
    nodes.close();
  }

  @Override
  protected StoreFixture open() {
    Database database = nodes.database;
    database.value("TRUNCATE latchkey_key CASCADE");
    return new StoreFixture() {
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
        database.value("UPDATE test_clock SET millis = millis + " + millis);
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
        database.value("DELETE FROM latchkey_key WHERE key = '" + key.key() + "'");
        return true;
      }
    };
  }
}
