package dev.latchkey.store.postgres;

import dev.latchkey.store.postgres.connection.SessionSettings;
import io.vertx.pgclient.PgConnectOptions;

/** How a store's connections are set up, for tests that send its statements by themselves. */
public final class Sessions {

  private Sessions() {}

  /** Returns a copy with the settings of connections for single statements. */
  public static PgConnectOptions statements(
      PgConnectOptions connect, PostgresStoreOptions options) {
    return SessionSettings.STATEMENTS.options(connect, options.limits());
  }
}
