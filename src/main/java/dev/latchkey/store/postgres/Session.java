package dev.latchkey.store.postgres;

import io.vertx.pgclient.PgConnectOptions;
import java.util.HashMap;
import java.util.Map;

/** How the store's connections are set up, whatever the role or the database says. */
enum Session {
  /** Short statements by primary key, over and over. */
  STATEMENTS,
  /** The application's own statements run here too, so the planner is left most of its freedom. */
  TRANSACTIONS;

  /** Longer than any statement here; the driver's cache skips longer ones. */
  private static final int LONGEST_SQL_CHARS = 100_000;

  private Map<String, String> planner() {
    return switch (this) {
      case STATEMENTS ->
          // A plan made on an empty table is kept: it must be the one that suits a full one.
          Map.of(
              "plan_cache_mode",
              "force_generic_plan",
              "enable_seqscan",
              "off",
              "enable_hashjoin",
              "off",
              "enable_mergejoin",
              "off",
              "enable_bitmapscan",
              "off");
      case TRANSACTIONS -> Map.of("enable_seqscan", "off");
    };
  }

  PgConnectOptions options(PgConnectOptions given, Limits limits) {
    Map<String, String> properties = new HashMap<>(given.getProperties());
    properties.putAll(planner());
    properties.put("application_name", limits.applicationName());
    properties.put("synchronous_commit", "on");
    properties.put("jit", "off");
    properties.put("lock_timeout", Long.toString(limits.lockTimeoutMillis()));
    properties.put("statement_timeout", Long.toString(limits.serverStatementLimitMillis()));
    properties.put(
        "idle_in_transaction_session_timeout", Long.toString(limits.callTimeoutMillis()));
    // The server's own view of a peer that is gone: dead after some ten seconds.
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
