package dev.latchkey.testing.servers;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Where tests get their servers from. Those of one's own cost about a second and are closed by
 * whoever starts them; the shared Postgres lives as long as the test JVM and must be left running.
 */
public final class RealServers {

  private static final AtomicBoolean POSTGRES_TOLD = new AtomicBoolean();
  private static final AtomicBoolean REDIS_TOLD = new AtomicBoolean();

  private RealServers() {}

  private static final class SharedPostgres {
    static final PostgresServer SERVER = startPostgres();
  }

  /** Returns the Postgres that all tests of this JVM share; take a fresh database on it. */
  public static PostgresServer postgres() {
    return SharedPostgres.SERVER;
  }

  /** Creates an empty database on the shared Postgres. */
  public static Database freshDatabase() {
    return postgres().freshDatabase();
  }

  /**
   * Starts a Postgres for a test that kills it or changes its settings.
   *
   * @param settings further settings, such as {@code wal_level=logical}
   */
  public static PostgresServer startPostgres(String... settings) {
    PostgresServer server = new EmbeddedPostgres(List.of(settings));
    server.mustBeDurable();
    tell(POSTGRES_TOLD, "embedded Postgres " + server.version());
    return server;
  }

  /**
   * Starts a Redis that keeps nothing unless told otherwise.
   *
   * @param arguments further arguments, such as {@code --appendonly yes --appendfsync always}, one
   *     word each
   */
  public static RedisServer startRedis(String... arguments) {
    RedisServer server = new EmbeddedRedis(List.of(arguments));
    tell(REDIS_TOLD, "embedded Redis " + server.version());
    return server;
  }

  private static void tell(AtomicBoolean told, String server) {
    if (told.compareAndSet(false, true)) {
      System.out.println("Tests run on " + server);
    }
  }
}
