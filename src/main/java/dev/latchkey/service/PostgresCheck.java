package dev.latchkey.service;

import dev.latchkey.service.cli.PostgresLocation;
import dev.latchkey.store.postgres.PostgresStatements;
import io.vertx.core.Vertx;
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

  private static final long AGAIN_MILLIS = 5_000;

  private PostgresCheck() {}

  /** Looks in the background, and again while the server cannot be asked; tells once. */
  static void begin(Vertx vertx, PostgresStatements statements, PostgresLocation database) {
    DatabaseSchemas.missing(statements)
        .compose(
            tables ->
                statements
                    .read("settings", SETTINGS, Tuple.tuple())
                    .onSuccess(
                        off -> {
                          tellMissing(tables, database);
                          warn(off);
                        }))
        .onFailure(away -> vertx.setTimer(AGAIN_MILLIS, id -> begin(vertx, statements, database)));
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
