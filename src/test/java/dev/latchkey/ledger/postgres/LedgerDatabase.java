package dev.latchkey.ledger.postgres;

import static dev.latchkey.testing.Await.await;

import dev.latchkey.store.postgres.PostgresSchema;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Vertx;

/** Creates databases with the schemas of the keys and of the ledger. */
final class LedgerDatabase {

  private LedgerDatabase() {}

  /** A fresh database on the shared server. */
  static Database fresh() {
    return migrated(RealServers.freshDatabase());
  }

  /** Applies the migrations of the keys and of the ledger. */
  static Database migrated(Database database) {
    Vertx vertx = TestVertx.create();
    await(
        PostgresSchema.keys()
            .migrate(vertx, database.connectOptions())
            .compose(keys -> PostgresLedger.schema().migrate(vertx, database.connectOptions())));
    await(vertx.close());
    return database;
  }

  /** Empties the ledger; its triggers would keep what is deleted. */
  static void empty(Database database) {
    database.value(
        "TRUNCATE ledger_payments, ledger_refunds, ledger_customers, ledger_balances,"
            + " outbox_events");
  }
}
