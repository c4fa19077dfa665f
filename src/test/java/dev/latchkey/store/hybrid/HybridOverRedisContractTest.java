package dev.latchkey.store.hybrid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.store.Attempt;
import dev.latchkey.store.NotificationLog;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.store.StoreContractTest;
import dev.latchkey.store.StoreFixture;
import dev.latchkey.store.redis.RedisFixture;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

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

  @Test
  void waitersAreNotifiedAlthoughRedisForgotTheKey() {
    try (StoreFixture nodes = open();
        NotificationLog log = new NotificationLog(nodes.otherNode())) {
      Attempt owner = Attempt.atNewKey();
      StoreCalls store = new StoreCalls(nodes.store());
      store.claimed(owner);
      new StoreCalls(nodes.otherNode()).watch(owner);
      redis.command("FLUSHALL");

      store.completed(owner);

      assertThat(log.awaitSettled(owner.key())).isTrue();
    }
  }

  @Override
  protected StoreFixture open() {
    return new HybridOverRedisFixture(ledger, new RedisFixture(ledger.vertx(), redis));
  }
}
