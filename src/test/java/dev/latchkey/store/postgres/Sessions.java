package dev.latchkey.store.postgres;

import io.vertx.pgclient.PgConnectOptions;

/** How a store's connections are set up, for tests that send its statements by themselves. */
public final class Sessions {

  private Sessions() {}

  /** Returns a copy with the settings of connections for single statements. */
  public static PgConnectOptions statements(
      PgConnectOptions connect, PostgresStoreOptions options) {
    return Session.STATEMENTS.options(connect, options.limits());
  }
}
