package dev.latchkey.store.postgres;

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
 * What is said over one connection: statements are pipelined and answered within a limit. Past it
 * nothing more is to be expected of the connection, since a server that stalls or a peer that is
 * gone can tell nothing. Confined to the event loop of its context.
 */
final class Pipe {

  /**
   * Who ends the connection; heard on the event loop, before those whose statements fail by it,
   * since whoever is told may ask again at once.
   */
  interface Listener {

    /** A statement failed in a way that leaves nothing to be done over the connection. */
    void broken(Pipe pipe, String why);

    /** A statement was refused since the server takes no writes. */
    void readOnly(Pipe pipe, String why);

    /** A statement was not answered within its limit. */
    void silent(Pipe pipe, String why);

    /** The driver tells of the connection's end. */
    void ended(Pipe pipe);
  }

  private interface Sending {
    Future<RowSet<Row>> on(PgConnection connection);
  }

  private final PgConnection connection;
  private final ContextInternal context;
  private final Limits limits;
  private final Listener listener;
  private int inFlight;

  Pipe(PgConnection connection, ContextInternal context, Limits limits, Listener listener) {
    this.connection = connection;
    this.context = context;
    this.limits = limits;
    this.listener = listener;
    connection.closeHandler(ignored -> context.runOnContext(v -> listener.ended(this)));
  }

  PgConnection connection() {
    return connection;
  }

  /** Whether no statement is under way. */
  boolean isIdle() {
    return inFlight == 0;
  }

  Future<RowSet<Row>> send(String sql, Tuple values) {
    return send(limits.statementLimitMillis(), using -> using.preparedQuery(sql).execute(values));
  }

  Future<RowSet<Row>> sendCommand(String sql, long limitMillis) {
    return send(limitMillis, using -> using.query(sql).execute());
  }

  private Future<RowSet<Row>> send(long limitMillis, Sending sending) {
    inFlight++;
    Promise<RowSet<Row>> answer = Promise.promise();
    long timer =
        context.setTimer(
            limitMillis,
            ignored -> {
              String why = "no answer within " + limitMillis + " ms";
              if (!answer.future().isComplete()) {
                listener.silent(this, why);
              }
              answer.tryFail(Failures.unknown(why));
            });
    sending
        .on(connection)
        .onComplete(
            done -> {
              context.owner().cancelTimer(timer);
              inFlight--;
              if (done.succeeded()) {
                answer.tryComplete(done.result());
              } else {
                answer.tryFail(failed(done.cause()));
              }
            });
    return answer.future();
  }

  private Throwable failed(Throwable cause) {
    if (!(cause instanceof PgException refused)) {
      if (isLoss(cause)) {
        listener.broken(this, Failures.reason(cause));
      }
      return Failures.unknown("the connection to Postgres broke: " + Failures.reason(cause), cause);
    }
    if (SqlState.refusesWrites(refused)) {
      listener.readOnly(this, Failures.sayOf(refused));
    } else if (SqlState.endsConnection(refused)) {
      listener.broken(this, Failures.sayOf(refused));
    }
    return cause;
  }

  /** Whether the connection is gone, and not only this statement's values unfit to be sent. */
  private static boolean isLoss(Throwable cause) {
    return cause instanceof ClosedConnectionException || cause instanceof IOException;
  }
}
