package dev.latchkey.http;

import dev.latchkey.ledger.redis.RedisLedger;
import dev.latchkey.ledger.redis.RedisLedgerEffects;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.store.redis.RedisConnections;
import dev.latchkey.store.redis.RedisSettings;
import dev.latchkey.store.redis.RedisStore;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.Vertx;
import io.vertx.redis.client.RedisOptions;

/** One Redis for all tests of the JVM, connections of its own for each node. */
final class RedisFixture implements ServiceFixture {

  private static final class Shared {
    static final RedisServer SERVER =
        RealServers.startRedis("--appendonly", "yes", "--appendfsync", "always");
  }

  @Override
  public Backend node(Vertx vertx) {
    RedisOptions options = new RedisOptions().setConnectionString(Shared.SERVER.uri());
    RedisConnections connections = RedisConnections.create(vertx, RedisSettings.of(options));
    RedisStore store = RedisStore.create(connections, new RedisLedgerEffects());
    StoreCalls.await(store.ready());
    return new Backend(store, new RedisLedger(connections));
  }
}
