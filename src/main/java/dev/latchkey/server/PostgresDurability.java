package dev.latchkey.server;

import dev.latchkey.store.postgres.PostgresStatements;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.StringJoiner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of a Postgres that may forget what it acknowledged, as the contract promises it does not.
 */
final class PostgresDurability {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresDurability.class);

  private static final String SETTINGS =
      "SELECT name FROM pg_settings"
          + " WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off' ORDER BY name";

  private PostgresDurability() {}

  /** Looks once, in the background; a server that is away now is not asked again. */
  static void check(PostgresStatements statements) {
    statements.read("settings", SETTINGS, Tuple.tuple()).onSuccess(PostgresDurability::warn);
  }

  private static void warn(RowSet<Row> off) {
    if (off.size() > 0) {
      StringJoiner names = new StringJoiner(" and ");
      off.forEach(row -> names.add(row.getString("name")));
      LOG.warn(
          "this Postgres runs with {} off: a crash of its machine may lose or damage payments that"
              + " were answered",
          names);
    }
  }
}
