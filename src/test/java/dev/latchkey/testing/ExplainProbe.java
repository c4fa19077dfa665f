package dev.latchkey.testing;

import dev.latchkey.testing.servers.Database;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Tuple;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Runs statements under EXPLAIN (ANALYZE, BUFFERS) in a session like those of the code under test,
 * by the plan that a prepared statement is kept with, and takes back what they wrote. A statement
 * is prepared once per probe: a probe that was opened on an empty table shows what becomes of a
 * plan made for that. Not for use by several threads.
 */
public final class ExplainProbe implements AutoCloseable {

  private static final String HEAP_BUFFERS =
      "SELECT coalesce(sum(pg_stat_get_xact_blocks_fetched(oid)), 0) FROM pg_class"
          + " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace";

  private final Connection connection;
  private final Map<String, String> prepared = new LinkedHashMap<>();

  private ExplainProbe(Connection connection) {
    this.connection = connection;
  }

  /**
   * Opens a session.
   *
   * @param database where
   * @param settings what the code under test sets for its sessions, by name; limits of time are
   *     left out
   */
  public static ExplainProbe open(Database database, Map<String, String> settings)
      throws SQLException {
    Connection connection = database.jdbc();
    connection.setAutoCommit(false);
    try (var set = connection.prepareStatement("SELECT set_config(?, ?, false)")) {
      for (Map.Entry<String, String> setting : settings.entrySet()) {
        if (!setting.getKey().endsWith("_timeout")) {
          set.setString(1, setting.getKey());
          set.setString(2, setting.getValue());
          set.execute();
        }
      }
    }
    connection.commit();
    return new ExplainProbe(connection);
  }

  /**
   * Runs a statement.
   *
   * @param sql with {@code $1} for the first parameter
   * @param parameters texts, numbers, booleans, byte arrays, nulls, and arrays of those
   * @return how it was run
   */
  public ExplainedPlan explain(String sql, Tuple parameters) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      String name = prepared.get(sql);
      if (name == null) {
        name = "probe_" + prepared.size();
        statement.execute("PREPARE " + name + " AS " + sql);
        connection.commit();
        prepared.put(sql, name);
      }
      String values =
          IntStream.range(0, parameters.size())
              .mapToObj(i -> literal(parameters.getValue(i)))
              .collect(Collectors.joining(", "));
      String execute = "EXECUTE " + name + (parameters.size() == 0 ? "" : "(" + values + ")");
      value(statement, "EXPLAIN " + execute);
      long before = heapTouched(statement);
      value(statement, "EXPLAIN " + execute);
      long planned = heapTouched(statement);
      String explained = value(statement, "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + execute);
      // A plan that is not kept is made again, by a look at the ends of indexes.
      long heapBuffers = heapTouched(statement) - planned - (planned - before);
      JsonObject plan = new JsonArray(explained).getJsonObject(0).getJsonObject("Plan");
      return ExplainedPlan.of(plan, heapBuffers);
    } finally {
      connection.rollback();
    }
  }

  /** What this session has touched of the tables, in the transaction under way at least. */
  private static long heapTouched(Statement statement) throws SQLException {
    return Long.parseLong(value(statement, HEAP_BUFFERS));
  }

  private static String value(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }

  private static String literal(Object value) {
    if (value == null) {
      return "NULL";
    }
    if (value instanceof Number || value instanceof Boolean) {
      return value.toString();
    }
    if (value instanceof byte[] bytes) {
      return "'\\x" + HexFormat.of().formatHex(bytes) + "'::bytea";
    }
    if (value instanceof Buffer buffer) {
      return literal(buffer.getBytes());
    }
    if (value instanceof Object[] values) {
      return values.length == 0
          ? "'{}'"
          : Arrays.stream(values)
              .map(ExplainProbe::literal)
              .collect(Collectors.joining(", ", "ARRAY[", "]"));
    }
    return "'" + value.toString().replace("'", "''") + "'";
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
