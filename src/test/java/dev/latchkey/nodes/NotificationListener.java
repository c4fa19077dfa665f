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

/** Counts the notifications between nodes over a database. For one thread. */
final class NotificationListener implements AutoCloseable {

  private static final int POLL_MILLIS = 10;

  private final Connection connection;
  private long count;

  NotificationListener(Database database) {
    try {
      connection = database.jdbc();
      run("LISTEN latchkey");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Counts from now on. */
  void reset() {
    count();
    count = 0;
  }

  /** Remarkers the notifications since the last reset. */
  long count() {
    // Notifications arrive in commit order, so all earlier ones arrive before this marker.
    String marker = "marker " + UUID.randomUUID();
    List<String> payloads = new ArrayList<>();
    try {
      run("NOTIFY latchkey, '" + marker + "'");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    Await.until(
        "the marker arrives",
        () -> {
          payloads.addAll(arrived());
          return payloads.contains(marker);
        });
    count += payloads.indexOf(marker);
    return count;
  }

  private List<String> arrived() {
    try {
      PGNotification[] some = connection.unwrap(PGConnection.class).getNotifications(POLL_MILLIS);
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
