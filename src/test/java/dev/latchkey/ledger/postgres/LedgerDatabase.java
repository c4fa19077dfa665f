package dev.latchkey.ledger.postgres;

import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.RealServers;
import org.flywaydb.core.Flyway;

/** Makes databases with the schema of the ledger. */
final class LedgerDatabase {

  private LedgerDatabase() {}

  /** A fresh database on the shared server. */
  static Database fresh() {
    return migrated(RealServers.freshDatabase());
  }

  /** Brings a database up to date. */
  static Database migrated(Database database) {
    Flyway.configure()
        .dataSource(
            "jdbc:postgresql://" + database.host() + ":" + database.port() + "/" + database.name(),
            database.user(),
            database.password())
        .locations("classpath:db/migration")
        .load()
        .migrate();
    return database;
  }

  /** Empties the ledger; its triggers would keep what is deleted. */
  static void empty(Database database) {
    database.value(
        "TRUNCATE ledger_payments, ledger_refunds, ledger_customers, ledger_balances,"
            + " outbox_events");
  }
}
