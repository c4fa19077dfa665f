package dev.latchkey.testing.servers;

import io.vertx.pgclient.PgConnectOptions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * A database of its own on a real Postgres.
 *
 * @param host the server's address
 * @param port the server's port
 * @param name the database
 * @param user its owner, a superuser
 * @param password the owner's password, asked for by SCRAM
 */
public record Database(String host, int port, String name, String user, String password) {

  /** Returns options that connect to it. */
  public PgConnectOptions connectOptions() {
    return new PgConnectOptions()
        .setHost(host)
        .setPort(port)
        .setDatabase(name)
        .setUser(user)
        .setPassword(password);
  }

  /** Returns its address as {@code --postgres-uri} takes it. */
  public String uri() {
    return uriBy(host, port);
  }

  /** Returns its address by way of another host and port, such as those of a proxy. */
  public String uriBy(String otherHost, int otherPort) {
    return "postgresql://" + user + ":" + password + "@" + otherHost + ":" + otherPort + "/" + name;
  }

  /** Opens a JDBC connection, for what a test wants to see or set up beside the code it tests. */
  public Connection jdbc() throws SQLException {
    String url = "jdbc:postgresql://" + host + ":" + port + "/" + name;
    return DriverManager.getConnection(url, user, password);
  }

  /** Runs one statement and returns the first column of its first row, or null without a row. */
  public String value(String sql) {
    try (Connection connection = jdbc();
        var statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return null;
      }
      try (var rows = statement.getResultSet()) {
        return rows.next() ? rows.getString(1) : null;
      }
    } catch (SQLException e) {
      throw new AssertionError(sql + ": " + e.getMessage(), e);
    }
  }
}
