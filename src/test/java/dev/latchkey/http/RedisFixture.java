package dev.latchkey.http;

import static dev.latchkey.testing.Await.await;

import dev.latchkey.ledger.redis.RedisLedger;
import dev.latchkey.ledger.redis.RedisLedgerEffects;
import dev.latchkey.store.redis.RedisConnections;
import dev.latchkey.store.redis.RedisSettings;
import dev.latchkey.store.redis.RedisStore;
import dev.latchkey.testing.Await;
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

  /** The failures here are made by tests; a machine that is busy is none. */
  static RedisSettings patient(RedisServer server) {
    return new RedisSettings(
        new RedisOptions().setConnectionString(server.uri()),
        Await.LIMIT_MILLIS / 2,
        Await.LIMIT_MILLIS,
        RedisSettings.MAX_WAITING_CALLS,
        RedisSettings.MAX_WAITING_BYTES);
  }

  @Override
  public Backend node(Vertx vertx) {
    RedisConnections connections = RedisConnections.create(vertx, patient(Shared.SERVER));
    RedisStore store = RedisStore.create(connections, new RedisLedgerEffects());
    await(store.ready());
    return new Backend(store, new RedisLedger(connections));
  }
}
