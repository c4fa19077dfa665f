package dev.latchkey.service;

import dev.latchkey.service.cli.PostgresLocation;
import dev.latchkey.store.postgres.PostgresStatements;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.StringJoiner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs if a Postgres database lacks the schema, or may lose commits that it acknowledged. */
final class PostgresCheck {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresCheck.class);

  private static final String SETTINGS =
      "SELECT name FROM pg_settings"
          + " WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off' ORDER BY name";

  private static final String PROCESS = "SELECT pg_backend_pid()";

  private static final String POOLED =
      "Postgres is behind a pooler in transaction mode, such as PgBouncer: session settings, prepared"
          + " statements and notifications do not work there. Use session mode, or the address of the"
          + " server itself";

  private static final long RETRY_MILLIS = 5_000;

  private PostgresCheck() {}

  /** Checks in the background, and retries while the server is unreachable; logs once. */
  static void begin(Vertx vertx, PostgresStatements statements, PostgresLocation database) {
    DatabaseSchemas.missing(statements)
        .compose(
            tables ->
                statements
                    .read("settings", SETTINGS, Tuple.tuple())
                    .onSuccess(
                        off -> {
                          logMissing(tables, database);
                          warn(off);
                        }))
        .compose(done -> pooled(statements))
        .onFailure(away -> vertx.setTimer(RETRY_MILLIS, id -> begin(vertx, statements, database)));
  }

  /**
   * Two connections have different server processes, unless a pooler lends one process to each
   * statement in turn.
   */
  private static Future<?> pooled(PostgresStatements statements) {
    return statements
        .read("pooler", PROCESS, Tuple.tuple())
        .compose(
            first ->
                statements
                    .write("pooler", PROCESS, Tuple.tuple())
                    .onSuccess(
                        second -> {
                          if (process(first) == process(second)) {
                            LOG.error(POOLED);
                          }
                        }));
  }

  private static int process(RowSet<Row> rows) {
    return rows.iterator().next().getInteger(0);
  }

  private static void logMissing(List<String> tables, PostgresLocation database) {
    if (!tables.isEmpty()) {
      LOG.error(
          "the schema of {} is missing or outdated (no {}): run 'migrate' with the options of"
              + " 'serve', or serve without --no-migrate; until then requests get 503",
          database,
          String.join(", ", tables));
    }
  }

  private static void warn(RowSet<Row> off) {
    if (off.size() > 0) {
      StringJoiner names = new StringJoiner(" and ");
      off.forEach(row -> names.add(row.getString("name")));
      LOG.warn(
          "Postgres runs with {} off: a crash of its machine may lose or damage acknowledged payments",
          names);
    }
  }
}
