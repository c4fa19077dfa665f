package dev.latchkey.http;

import static dev.latchkey.testing.Await.await;

import dev.latchkey.ledger.redis.RedisLedger;
import dev.latchkey.ledger.redis.RedisLedgerEffects;
import dev.latchkey.store.redis.RedisStore;
import dev.latchkey.store.redis.connection.RedisConnectionOptions;
import dev.latchkey.store.redis.connection.RedisConnections;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.Vertx;
import io.vertx.redis.client.RedisOptions;

/** One Redis for all tests of the JVM, connections of its own for each node. */
final class RedisServiceFixture implements ServiceFixture {

  private static final class Shared {
    static final RedisServer SERVER =
        RealServers.startRedis("--appendonly", "yes", "--appendfsync", "always");
  }

  /** The failures here are made by tests; a machine that is busy is none. */
  static RedisConnections patient(Vertx vertx, RedisServer server) {
    return RedisConnections.create(
        vertx,
        new RedisOptions().setConnectionString(server.uri()),
        new RedisConnectionOptions()
            .setConnectTimeoutMillis(Await.LIMIT_MILLIS / 2)
            .setCallTimeoutMillis(Await.LIMIT_MILLIS));
  }

  @Override
  public Backend node(Vertx vertx) {
    RedisConnections connections = patient(vertx, Shared.SERVER);
    RedisStore store = RedisStore.create(connections, new RedisLedgerEffects());
    await(store.ready());
    return new Backend(store, new RedisLedger(connections));
  }
}
