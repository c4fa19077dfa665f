package dev.latchkey.store.postgres;

import dev.latchkey.store.postgres.connection.Failures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/**
 * A set of tables that migrations create and change, with a history table of its own, so that it
 * can share a database with other tables and with another Flyway. Immutable.
 *
 * <p>{@link #keys()} is the schema of the store and of the receipts. The receipts are part of it
 * because they belong to the library and use its functions; a hybrid store has them in the database
 * of its effects and leaves the key table empty.
 */
public final class PostgresSchema {

  private static final PostgresSchema KEYS =
      new PostgresSchema(
          "dev/latchkey/store/postgres/migration",
          "latchkey_schema_history",
          List.of("V1__keys.sql"),
          List.of("latchkey_key", "latchkey_step", "latchkey_receipt"));

  /** One process migrates at a time; the others wait. */
  private static final String LOCK = "SELECT pg_advisory_lock(7305445081266254204)";

  private static final String MISSING =
      "SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NULL";

  private final String location;
  private final String historyTable;
  private final List<String> scripts;
  private final List<String> tables;

  /**
   * Describes a schema.
   *
   * @param location folder of the migrations on the class path
   * @param historyTable name of the table that lists the applied migrations
   * @param scripts file names of the migrations, in order
   * @param tables all tables that the migrations create
   */
  public PostgresSchema(
      String location, String historyTable, List<String> scripts, List<String> tables) {
    this.location = location;
    this.historyTable = historyTable;
    this.scripts = List.copyOf(scripts);
    this.tables = List.copyOf(tables);
  }

  /**
   * Returns the schema of keys, steps and receipts; all its objects are named {@code latchkey_*}.
   */
  public static PostgresSchema keys() {
    return KEYS;
  }

  /**
   * Applies the migrations that the database lacks, over JDBC on a worker thread. It creates the
   * tables in the first schema of the {@code search_path}. Safe when several processes start at
   * once.
   *
   * @param vertx provides the worker thread
   * @param connect the database; TLS is supported with certificates given as PEM
   * @return the number of migrations that were applied; fails with {@link
   *     dev.latchkey.core.spi.StoreException} if the server is unavailable or a migration fails,
   *     after which a retry is safe
   */
  public Future<Integer> migrate(Vertx vertx, PgConnectOptions connect) {
    return vertx.executeBlocking(() -> migrateNow(connect), false);
  }

  private int migrateNow(PgConnectOptions connect) {
    try (JdbcSource source = JdbcSource.of(connect);
        Connection connection = source.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(LOCK);
      return Flyway.configure(PostgresSchema.class.getClassLoader())
          .dataSource(source.dataSource())
          .locations("classpath:" + location)
          .table(historyTable)
          // The database may hold other tables: version 0 stands for them, so that V1 is applied.
          .baselineOnMigrate(true)
          .baselineVersion("0")
          .createSchemas(false)
          .placeholderReplacement(false)
          .failOnMissingLocations(true)
          .connectRetries(0)
          .load()
          .migrate()
          .migrationsExecuted;
    } catch (FlywayException | SQLException failed) {
      throw Failures.notDone("migrate: " + oneLine(String.valueOf(failed.getMessage())));
    }
  }

  /** Flyway underlines its messages and repeats them. */
  private static String oneLine(String message) {
    return message
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.matches("-+|(Error Code|Message) *:.*"))
        .collect(Collectors.joining("; "));
  }

  /** Returns the migrations as one SQL script, to be applied by other means to a new database. */
  public String ddl() {
    return scripts.stream()
        .map(script -> "-- " + script + "\n" + text(location + "/" + script))
        .collect(Collectors.joining("\n"));
  }

  private static String text(String resource) {
    try (InputStream in = PostgresSchema.class.getClassLoader().getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + resource);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /**
   * Finds the tables that a database lacks.
   *
   * @param statements connection to the database
   * @return their names, empty if the schema is up to date; fails if the server is unavailable
   */
  public Future<List<String>> missing(PostgresStatements statements) {
    return statements
        .read("schema", MISSING, Tuple.tuple().addValue(tables.toArray(String[]::new)))
        .map(rows -> rows.stream().map(row -> row.getString("name")).toList());
  }
}
