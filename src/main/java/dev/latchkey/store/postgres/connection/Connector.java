package dev.latchkey.store.postgres.connection;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.spi.PgDriver;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.spi.ConnectionFactory;

/**
 * Makes one connection, within a time limit whatever the server does. Confined to the event loop of
 * its context.
 */
final class Connector {

  /** An SQL expression: whether the server refuses writes. */
  static final String IS_READ_ONLY =
      "(pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean)";

  static final String READ_ONLY = "the server accepts no writes";

  private static final int FIRST_WITH_TRANSACTION_TIMEOUT = 17;

  private final ContextInternal context;
  private final Limits limits;
  private final ConnectionFactory<PgConnectOptions> factory;

  Connector(ContextInternal context, Limits limits) {
    this.context = context;
    this.limits = limits;
    factory =
        PgDriver.INSTANCE.createConnectionFactory(
            context.owner(), Sockets.cutWhenSilent(limits.connectLimitMillis()));
  }

  /**
   * Makes the connection; called once.
   *
   * @param forWrites fails if the server accepts no writes
   */
  Future<PgConnection> connect(PgConnectOptions options, boolean forWrites) {
    Promise<PgConnection> promise = Promise.promise();
    long timer =
        context.setTimer(
            limits.connectLimitMillis(),
            ignored ->
                promise.tryFail("no connection within " + limits.connectLimitMillis() + " ms"));
    factory
        .connect(context, options)
        .map(Connector::quiet)
        .compose(it -> forWrites ? writable(it) : Future.succeededFuture(it))
        .onSuccess(
            it -> {
              if (!promise.tryComplete(it)) {
                Sockets.cut(it);
              }
            })
        .onFailure(promise::tryFail);
    return promise
        .future()
        .onComplete(done -> context.owner().cancelTimer(timer))
        .onSuccess(this::prepare);
  }

  /** Without handlers, the driver prints to standard error. */
  private static PgConnection quiet(SqlConnection made) {
    made.exceptionHandler(ignored -> {});
    return ((PgConnection) made).noticeHandler(ignored -> {});
  }

  private static Future<PgConnection> writable(PgConnection made) {
    return made.query("SELECT " + IS_READ_ONLY)
        .execute()
        .compose(
            rows ->
                rows.iterator().next().getBoolean(0)
                    ? Future.<PgConnection>failedFuture(READ_ONLY)
                    : Future.succeededFuture(made))
        .onFailure(unfit -> Sockets.cut(made));
  }

  private void prepare(PgConnection made) {
    Sockets.keep(made);
    if (made.databaseMetadata().majorVersion() >= FIRST_WITH_TRANSACTION_TIMEOUT) {
      // Also ends a transaction whose client is gone in the middle of a message, which no other
      // limit
      // does. Pipelined, so nothing waits for it.
      made.query("SET transaction_timeout = " + limits.statementLimitMillis()).execute();
    }
  }

  /** Ends the attempt, or the rest of the connection. */
  void close() {
    factory.close((result, failure) -> {});
  }
}
