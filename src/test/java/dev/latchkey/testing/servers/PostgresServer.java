package dev.latchkey.testing.servers;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A Postgres server with {@code fsync} and {@code synchronous_commit} on. */
public final class PostgresServer extends RealServer {

  static final String USER = "latchkey";
  static final String PASSWORD = "secret";

  /** What every Postgres of the tests is started with. */
  static final List<String> DURABLE =
      List.of("fsync=on", "synchronous_commit=on", "full_page_writes=on");

  private static final AtomicInteger DATABASES = new AtomicInteger();

  PostgresServer(ServerControl control) {
    super(control);
    mustBeDurable();
  }

  /** Returns the database that every server has from its start. */
  public Database maintenanceDatabase() {
    return database(host(), port(), "postgres");
  }

  /** Creates a new empty database and returns how to reach it. */
  public Database freshDatabase() {
    String name = "test_" + ProcessHandle.current().pid() + "_" + DATABASES.incrementAndGet();
    maintenanceDatabase().value("CREATE DATABASE " + name);
    return database(host(), port(), name);
  }

  @Override
  public String version() {
    return maintenanceDatabase().value("SHOW server_version");
  }

  static Database database(String host, int port, String name) {
    return new Database(host, port, name, USER, PASSWORD);
  }

  /** A crash test on a server that does not flush proves nothing: refuses such a server. */
  private void mustBeDurable() {
    for (String setting : DURABLE) {
      String name = setting.substring(0, setting.indexOf('='));
      String value = maintenanceDatabase().value("SHOW " + name);
      if (!"on".equals(value)) {
        close();
        throw new AssertionError(name + " is " + value + " on the Postgres of the tests");
      }
    }
  }
}
