package dev.latchkey.server;

import dev.latchkey.store.postgres.PostgresSchema;
import dev.latchkey.store.postgres.PostgresStatements;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.StringJoiner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of a Postgres without the schema, on which nothing works, and of one that may forget what
 * it acknowledged, as the contract promises it does not.
 */
final class PostgresCheck {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresCheck.class);

  private static final String SETTINGS =
      "SELECT name FROM pg_settings"
          + " WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off' ORDER BY name";

  private PostgresCheck() {}

  /** Looks once, in the background; a server that is away now is not asked again. */
  static void begin(PostgresStatements statements, PostgresLocation database) {
    PostgresSchema.missing(statements).onSuccess(tables -> tellMissing(tables, database));
    statements.read("settings", SETTINGS, Tuple.tuple()).onSuccess(PostgresCheck::warn);
  }

  private static void tellMissing(List<String> tables, PostgresLocation database) {
    if (!tables.isEmpty()) {
      LOG.error(
          "the schema of {} is missing or older than this version, there is no {}: run 'migrate'"
              + " with the options of 'serve', or serve without --no-migrate; until then requests"
              + " are answered 503",
          database,
          String.join(", ", tables));
    }
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
