package dev.latchkey.store.postgres;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.stream.Collectors;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/**
 * Brings a database to the schema that this version needs. Runs over JDBC on a worker thread, when
 * a node starts or on command; never for a request. Safe when several nodes start at once: one
 * migrates, the others wait for it.
 */
public final class PostgresSchema {

  private static final int CONNECT_RETRIES = 0;

  /** All that the migrations make. */
  private static final String MISSING =
      """
      SELECT name
      FROM unnest(ARRAY['latchkey_key', 'latchkey_step', 'latchkey_receipt', 'ledger_payments',
        'ledger_refunds', 'ledger_customers', 'ledger_balances', 'outbox_events']) AS name
      WHERE to_regclass(name) IS NULL
      """;

  private PostgresSchema() {}

  /**
   * Looks which tables are not there.
   *
   * @param statements to the database
   * @return their names, none of a schema that is up to date; fails when the server is away
   */
  public static Future<List<String>> missing(PostgresStatements statements) {
    return statements
        .read("schema", MISSING, Tuple.tuple())
        .map(rows -> rows.stream().map(row -> row.getString("name")).toList());
  }

  /**
   * Migrates.
   *
   * @param vertx lends a worker thread
   * @param connect where the database is; its TLS settings are used, certificates given as PEM
   * @return how many migrations ran; fails with {@link dev.latchkey.core.spi.StoreException} when
   *     the server is away or a migration fails, after which a retry is safe
   */
  public static Future<Integer> migrate(Vertx vertx, PgConnectOptions connect) {
    return vertx.executeBlocking(() -> migrateNow(connect), false);
  }

  private static int migrateNow(PgConnectOptions connect) {
    try (JdbcSource source = JdbcSource.of(connect)) {
      return Flyway.configure(PostgresSchema.class.getClassLoader())
          .dataSource(source.dataSource())
          .locations("classpath:db/migration")
          .connectRetries(CONNECT_RETRIES)
          .failOnMissingLocations(true)
          .load()
          .migrate()
          .migrationsExecuted;
    } catch (FlywayException failed) {
      throw Failures.notDone("migrate: " + oneLine(String.valueOf(failed.getMessage())));
    }
  }

  /** Flyway underlines what it says, and says it twice. */
  private static String oneLine(String message) {
    return message
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.matches("-+|(Error Code|Message) *:.*"))
        .collect(Collectors.joining("; "));
  }
}
