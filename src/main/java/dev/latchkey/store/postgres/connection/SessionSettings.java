package dev.latchkey.store.postgres.connection;

import io.vertx.pgclient.PgConnectOptions;
import java.util.HashMap;
import java.util.Map;

/** The session settings of the store's connections, which override those of role and database. */
public enum SessionSettings {
  /** For short, repeated statements by primary key. */
  STATEMENTS,
  /** Also runs the application's statements, so the planner keeps most of its freedom. */
  TRANSACTIONS;

  /** The driver's cache skips longer statements. */
  private static final int LONGEST_SQL_CHARS = 100_000;

  private Map<String, String> planner() {
    return switch (this) {
      case STATEMENTS ->
          // A plan made for an empty table is kept, so it must suit a full one.
          Map.of(
              "plan_cache_mode", "force_generic_plan",
              "enable_seqscan", "off",
              "enable_hashjoin", "off",
              "enable_mergejoin", "off",
              "enable_bitmapscan", "off");
      case TRANSACTIONS -> Map.of("enable_seqscan", "off");
    };
  }

  /** Returns a copy of connect options with these settings. */
  public PgConnectOptions options(PgConnectOptions given, Limits limits) {
    Map<String, String> properties = new HashMap<>(given.getProperties());
    properties.putAll(planner());
    properties.put("application_name", limits.applicationName());
    properties.put("synchronous_commit", "on");
    properties.put("default_transaction_isolation", "read committed");
    properties.put("jit", "off");
    properties.put("lock_timeout", Long.toString(limits.lockTimeoutMillis()));
    properties.put("statement_timeout", Long.toString(limits.serverStatementLimitMillis()));
    properties.put(
        "idle_in_transaction_session_timeout", Long.toString(limits.callTimeoutMillis()));
    // The server detects an absent client after about ten seconds.
    properties.put("tcp_keepalives_idle", "4");
    properties.put("tcp_keepalives_interval", "2");
    properties.put("tcp_keepalives_count", "3");
    return new PgConnectOptions(given)
        .setProperties(properties)
        .setReconnectAttempts(0)
        .setCachePreparedStatements(true)
        .setPreparedStatementCacheMaxSize(256)
        .setPreparedStatementCacheSqlLimit(LONGEST_SQL_CHARS);
  }
}
