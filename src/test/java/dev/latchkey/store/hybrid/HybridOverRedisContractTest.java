package dev.latchkey.store.hybrid;

import dev.latchkey.idempotency.spi.IdempotencyStore;
import dev.latchkey.store.EffectProbe;
import dev.latchkey.store.StoreContractTest;
import dev.latchkey.store.StoreFixture;
import dev.latchkey.store.postgres.PostgresNodes;
import dev.latchkey.store.postgres.PostgresReceipts;
import dev.latchkey.store.redis.RedisFixture;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Claims in a real Redis, receipts on a real Postgres, by the clocks of both. */
class HybridOverRedisContractTest extends StoreContractTest {

  private static RedisServer redis;
  private static PostgresNodes nodes;
  private static PostgresReceipts receipts;
  private static PostgresReceipts otherReceipts;

  @BeforeAll
  static void start() {
    redis = RealServers.startRedis(RedisFixture.DURABLE);
    nodes = new PostgresNodes(RealServers.freshDatabase());
    receipts = nodes.openReceipts();
    otherReceipts = nodes.openReceipts();
  }

  @AfterAll
  static void stop() {
    nodes.close();
    redis.close();
  }

  @Override
  protected StoreFixture open() {
    nodes.database.value("TRUNCATE latchkey_receipt");
    return new Fixture(new RedisFixture(nodes.vertx, redis));
  }

  private static final class Fixture implements StoreFixture {
    private final RedisFixture claims;
    private final HybridStore store;
    private final HybridStore other;

    Fixture(RedisFixture claims) {
      this.claims = claims;
      store = HybridStore.create(claims.claimStores().get(0), receipts);
      other = HybridStore.create(claims.claimStores().get(1), otherReceipts);
    }

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
      claims.advanceMillis(millis);
    }

    @Override
    public boolean expiresByItself() {
      return true;
    }

    @Override
    public Optional<EffectProbe> effects() {
      return Optional.of(nodes.effects);
    }

    @Override
    public boolean restart() {
      return claims.restart();
    }

    @Override
    public void close() {
      claims.close();
    }
  }
}
