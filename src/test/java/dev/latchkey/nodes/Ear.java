package dev.latchkey.nodes;

import dev.latchkey.testing.Await;
import dev.latchkey.testing.servers.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Hears the notices that nodes send each other over a database. Not for several threads. */
final class Ear implements AutoCloseable {

  private static final int PATIENCE_MILLIS = 10;

  private final Connection connection;
  private long heard;

  Ear(Database database) {
    try {
      connection = database.jdbc();
      run("LISTEN latchkey");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Counts from now on. */
  void forget() {
    heard();
    heard = 0;
  }

  /** Returns how many were sent since. */
  long heard() {
    // Notices come in the order of their commits: whatever was sent before comes before this.
    String turn = "turn " + UUID.randomUUID();
    List<String> words = new ArrayList<>();
    try {
      run("NOTIFY latchkey, '" + turn + "'");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    Await.until(
        "the notice comes",
        () -> {
          words.addAll(arrived());
          return words.contains(turn);
        });
    heard += words.indexOf(turn);
    return heard;
  }

  private List<String> arrived() {
    try {
      PGNotification[] some =
          connection.unwrap(PGConnection.class).getNotifications(PATIENCE_MILLIS);
      return some == null
          ? List.of()
          : List.of(some).stream().map(PGNotification::getParameter).toList();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
