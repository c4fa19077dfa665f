package dev.latchkey.ledger.postgres;

import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlConnection;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Makes pools of connections that are set up as {@link PostgresLedger} wants them. */
public final class PostgresPools {

  private static final int CONNECT_MILLIS = 2_000;
  private static final int SILENT_LOGIN_MILLIS = 3_000;
  private static final int ACQUIRE_MILLIS = 4_000;
  private static final int MAX_WAITING = 1_000;
  private static final int MAX_STATEMENTS = 256;

  /**
   * Said by every connection for itself, whatever the role or the database says. Plans are made
   * once and kept, so that one made while the tables were empty has to be the one for large tables:
   * down an index, and never by a pass over a table.
   */
  private static final Map<String, String> SESSION =
      Map.of(
          "synchronous_commit", "on",
          "statement_timeout", "3s",
          "lock_timeout", "2s",
          "plan_cache_mode", "force_generic_plan",
          "enable_seqscan", "off",
          "enable_hashjoin", "off",
          "enable_mergejoin", "off",
          "jit", "off");

  private PostgresPools() {}

  /**
   * Makes a pool. It connects when it is first used, and again whenever a connection is lost.
   *
   * @param vertx whose event loops it uses
   * @param server where to connect and as whom; not changed
   * @param maxSize most connections, positive
   * @return the pool, to be closed by the caller
   */
  public static Pool create(Vertx vertx, PgConnectOptions server, int maxSize) {
    NetClientOptions transport =
        new NetClientOptions()
            .setConnectTimeout(CONNECT_MILLIS)
            .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
            .setReadIdleTimeout(SILENT_LOGIN_MILLIS)
            .setTcpKeepAlive(true);
    PoolOptions pool =
        new PoolOptions()
            .setMaxSize(maxSize)
            .setMaxWaitQueueSize(MAX_WAITING)
            .setConnectionTimeout(ACQUIRE_MILLIS)
            .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS);
    return PgBuilder.pool()
        .using(vertx)
        .with(transport)
        .with(pool)
        .connectingTo(session(server))
        .withConnectHandler(PostgresPools::ready)
        .build();
  }

  /**
   * Sets up a connection of one's own likewise.
   *
   * @param server where to connect and as whom; not changed
   * @return a copy with the settings of the session
   */
  public static PgConnectOptions session(PgConnectOptions server) {
    PgConnectOptions options = new PgConnectOptions(server);
    SESSION.forEach(options::addProperty);
    return options
        .setCachePreparedStatements(true)
        .setPreparedStatementCacheMaxSize(MAX_STATEMENTS)
        .setPreparedStatementCacheSqlFilter(sql -> true);
  }

  private static void ready(SqlConnection connection) {
    Sockets.keepWhenIdle(connection);
    connection.close();
  }
}
