package dev.latchkey.http;

import static dev.latchkey.testing.Await.await;

import dev.latchkey.ledger.postgres.PostgresEffects;
import dev.latchkey.store.hybrid.HybridStore;
import dev.latchkey.store.postgres.PostgresReceipts;
import dev.latchkey.store.redis.RedisEffectKinds;
import dev.latchkey.store.redis.RedisStore;
import dev.latchkey.store.redis.connection.RedisConnections;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;

/** Nodes with claims in one Redis that keeps nothing, and payments in one database. */
final class HybridServiceFixture implements ServiceFixture {

  private static final class Shared {
    static final RedisServer REDIS = RealServers.startRedis();
  }

  @Override
  public Backend node(Vertx vertx) {
    RedisConnections connections = RedisServiceFixture.patient(vertx, Shared.REDIS);
    RedisStore claims = RedisStore.create(connections, RedisEffectKinds.NONE);
    await(claims.ready());
    PgConnectOptions database = PostgresServiceFixture.database().connectOptions();
    PostgresReceipts receipts =
        PostgresReceipts.create(
            vertx, database, PostgresServiceFixture.patient(), new PostgresEffects());
    return new Backend(HybridStore.create(claims, receipts), PostgresServiceFixture.ledger(vertx));
  }
}
