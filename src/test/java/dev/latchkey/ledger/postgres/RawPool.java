package dev.latchkey.ledger.postgres;

import dev.latchkey.store.postgres.connection.SessionSettings;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;

/** Connections set up like those of the ledger, for statements of a test's own. */
final class RawPool {

  private RawPool() {}

  static Pool create(Vertx vertx, PgConnectOptions server, int maxSize) {
    return PgBuilder.pool()
        .using(vertx)
        .with(new PoolOptions().setMaxSize(maxSize))
        .connectingTo(SessionSettings.STATEMENTS.options(server, PostgresLedger.options().limits()))
        .build();
  }
}
