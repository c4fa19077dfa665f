package dev.latchkey.testing.servers;

import java.util.concurrent.atomic.AtomicInteger;

/** A Postgres server with {@code fsync} and {@code synchronous_commit} on. */
public abstract class PostgresServer implements RealServer {

  static final String USER = "latchkey";
  static final String PASSWORD = "secret";
  private static final AtomicInteger DATABASES = new AtomicInteger();

  PostgresServer() {}

  /** Returns the database that every server has from its start. */
  public final Database maintenanceDatabase() {
    return database("postgres");
  }

  /** Creates a new empty database and returns how to reach it. */
  public final Database freshDatabase() {
    String name = "test_" + ProcessHandle.current().pid() + "_" + DATABASES.incrementAndGet();
    maintenanceDatabase().value("CREATE DATABASE " + name);
    return database(name);
  }

  /** Returns the server's version, such as {@code 17.11}. */
  public final String version() {
    return maintenanceDatabase().value("SHOW server_version");
  }

  private Database database(String name) {
    return new Database(host(), port(), name, USER, PASSWORD);
  }

  /** A crash test on a server that does not flush proves nothing: refuses such a server. */
  final void mustBeDurable() {
    for (String setting : new String[] {"fsync", "synchronous_commit", "full_page_writes"}) {
      String value = maintenanceDatabase().value("SHOW " + setting);
      if (!"on".equals(value)) {
        throw new AssertionError(setting + " is " + value + " on the Postgres of the tests");
      }
    }
  }
}
