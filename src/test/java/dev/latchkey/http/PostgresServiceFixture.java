package dev.latchkey.http;

import static dev.latchkey.testing.Await.await;

import dev.latchkey.ledger.postgres.PostgresEffects;
import dev.latchkey.ledger.postgres.PostgresLedger;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.store.postgres.PostgresSchema;
import dev.latchkey.store.postgres.PostgresStatements;
import dev.latchkey.store.postgres.PostgresStore;
import dev.latchkey.store.postgres.PostgresStoreOptions;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;

/** Nodes on one database of a real Postgres, each with connections of its own. */
final class PostgresServiceFixture implements ServiceFixture {

  private static final class Shared {
    static final Database DATABASE = migrated();

    private static Database migrated() {
      Database fresh = RealServers.freshDatabase();
      Vertx vertx = TestVertx.create();
      // No lambda: another thread would wait for the initialization of this class.
      await(PostgresSchema.keys().migrate(vertx, fresh.connectOptions()));
      await(PostgresLedger.schema().migrate(vertx, fresh.connectOptions()));
      await(vertx.close());
      return fresh;
    }
  }

  /** The migrated database that the tests of this JVM share. */
  static Database database() {
    return Shared.DATABASE;
  }

  /** The failures here are made by tests; a machine that is busy is none. */
  static PostgresStoreOptions patient() {
    return new PostgresStoreOptions().setCallTimeoutMillis(Await.LIMIT_MILLIS);
  }

  static PostgresLedger ledger(Vertx vertx) {
    PostgresStoreOptions limits = PostgresLedger.options().setCallTimeoutMillis(Await.LIMIT_MILLIS);
    return new PostgresLedger(
        PostgresStatements.create(vertx, Shared.DATABASE.connectOptions(), limits));
  }

  @Override
  public Backend node(Vertx vertx) {
    PgConnectOptions database = Shared.DATABASE.connectOptions();
    PostgresStore store =
        PostgresStore.create(
            vertx, database, PostgresServiceFixture.patient(), new PostgresEffects());
    StoreCalls.eventually(store::listening);
    return new Backend(store, ledger(vertx));
  }
}
