package dev.latchkey.store.postgres;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.spi.PgDriver;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.spi.ConnectionFactory;

/**
 * Makes one connection, within a limit whatever the server does, and ends it. Confined to the event
 * loop of its context.
 */
final class Connector {

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
   * @param forWrites whether it is no use when the server takes no writes
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

  /** Without handlers, the driver would print what it has to say to standard error. */
  private static PgConnection quiet(SqlConnection made) {
    made.exceptionHandler(ignored -> {});
    return ((PgConnection) made).noticeHandler(ignored -> {});
  }

  private static Future<PgConnection> writable(PgConnection made) {
    return made.query(KeySql.READ_ONLY)
        .execute()
        .compose(
            rows ->
                rows.iterator().next().getBoolean(0)
                    ? Future.<PgConnection>failedFuture("the server takes no writes")
                    : Future.succeededFuture(made))
        .onFailure(unfit -> Sockets.cut(made));
  }

  private void prepare(PgConnection made) {
    Sockets.keep(made);
    if (made.databaseMetadata().majorVersion() >= FIRST_WITH_TRANSACTION_TIMEOUT) {
      // Ends what no other limit of the server does: a transaction whose client is gone in the
      // middle of a message. Pipelined, so nobody waits for it.
      made.query("SET transaction_timeout = " + limits.statementLimitMillis()).execute();
    }
  }

  /** Ends the attempt, or what is left of the connection. */
  void close() {
    factory.close((result, failure) -> {});
  }
}
