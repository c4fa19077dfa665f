package dev.latchkey.store.hybrid;

import dev.latchkey.store.StoreContractTest;
import dev.latchkey.store.StoreFixture;
import dev.latchkey.store.redis.RedisFixture;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Claims in one Redis, by its own clock and that of Postgres. */
class HybridOverRedisContractTest extends StoreContractTest {

  private static RedisServer redis;
  private static HybridOverRedisFixture.Ledger ledger;

  @BeforeAll
  static void start() {
    redis = RealServers.startRedis(RedisFixture.DURABLE);
    ledger = new HybridOverRedisFixture.Ledger();
  }

  @AfterAll
  static void stop() {
    ledger.close();
    redis.close();
  }

  @Override
  protected StoreFixture open() {
    return new HybridOverRedisFixture(ledger, new RedisFixture(ledger.vertx(), redis));
  }
}
