package dev.latchkey.store.postgres.connection;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;

/**
 * The statements of one connection, pipelined, each with a time limit. A statement that exceeds its
 * limit ends the connection, since a stalled server or an absent peer reports nothing. Confined to
 * the event loop of its context.
 */
final class Pipeline {

  /** Why a connection ends. */
  enum End {
    /** A statement failed in a way that makes the connection unusable. */
    BROKEN,
    /** The server accepts no writes. */
    READ_ONLY,
    /** A statement exceeded its limit. */
    SILENT,
    /** The driver reports the end. */
    CLOSED
  }

  /** Called on the event loop before the statements fail, since their callers may retry at once. */
  interface Listener {
    void ended(Pipeline pipeline, End end, String reason);
  }

  private final PgConnection connection;
  private final ContextInternal context;
  private final Limits limits;
  private final Listener listener;
  private int inFlight;

  Pipeline(PgConnection connection, ContextInternal context, Limits limits, Listener listener) {
    this.connection = connection;
    this.context = context;
    this.limits = limits;
    this.listener = listener;
    connection.closeHandler(
        ignored ->
            context.runOnContext(
                v -> listener.ended(this, End.CLOSED, "the server closed the connection")));
  }

  PgConnection connection() {
    return connection;
  }

  boolean isIdle() {
    return inFlight == 0;
  }

  Future<RowSet<Row>> send(String sql, Tuple values) {
    return limited(connection.preparedQuery(sql).execute(values));
  }

  Future<RowSet<Row>> sendCommand(String sql) {
    return limited(connection.query(sql).execute());
  }

  private Future<RowSet<Row>> limited(Future<RowSet<Row>> statement) {
    inFlight++;
    long limitMillis = limits.statementLimitMillis();
    Promise<RowSet<Row>> result = Promise.promise();
    long timer =
        context.setTimer(
            limitMillis,
            ignored -> {
              String reason = "no response within " + limitMillis + " ms";
              if (!result.future().isComplete()) {
                listener.ended(this, End.SILENT, reason);
              }
              result.tryFail(Failures.unknown(reason));
            });
    statement.onComplete(
        done -> {
          context.owner().cancelTimer(timer);
          inFlight--;
          if (done.succeeded()) {
            result.tryComplete(done.result());
          } else {
            result.tryFail(failure(done.cause()));
          }
        });
    return result.future();
  }

  private Throwable failure(Throwable cause) {
    if (!(cause instanceof PgException refused)) {
      // Other failures concern the statement alone, such as values that do not fit.
      if (cause instanceof ClosedConnectionException || cause instanceof IOException) {
        listener.ended(this, End.BROKEN, Failures.reason(cause));
      }
      return Failures.unknown("the connection to Postgres broke: " + Failures.reason(cause), cause);
    }
    if (SqlState.refusesWrites(refused)) {
      listener.ended(this, End.READ_ONLY, Failures.message(refused));
    } else if (SqlState.endsConnection(refused)) {
      listener.ended(this, End.BROKEN, Failures.message(refused));
    }
    return cause;
  }
}
