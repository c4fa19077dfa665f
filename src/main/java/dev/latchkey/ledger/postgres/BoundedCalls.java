package dev.latchkey.ledger.postgres;

import dev.latchkey.idempotency.spi.StoreException;
import dev.latchkey.idempotency.spi.StoreException.Outcome;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends statements over a pool so that each has its answer, or a {@link StoreException}, within a
 * bounded time, the wait for a connection included. A connection whose answer is overdue is cut:
 * back in the pool it would hold up whoever comes next. Safe for use by any thread.
 */
final class BoundedCalls {

  private final Vertx vertx;
  private final Pool pool;
  private final long limitMillis;

  BoundedCalls(Vertx vertx, Pool pool, long limitMillis) {
    this.vertx = vertx;
    this.pool = pool;
    this.limitMillis = limitMillis;
  }

  /** Sends a statement that changes nothing: however it fails, nothing was done. */
  <T> Future<T> read(String operation, Statement statement, Function<RowSet<Row>, T> answer) {
    return new Call<>(operation, false, statement, answer).start();
  }

  /** Sends a statement that writes and commits by itself. */
  <T> Future<T> write(String operation, Statement statement, Function<RowSet<Row>, T> answer) {
    return new Call<>(operation, true, statement, answer).start();
  }

  private final class Call<T> {
    private final String operation;
    private final boolean writes;
    private final Statement statement;
    private final Function<RowSet<Row>, T> answer;
    private final Promise<T> promise = Promise.promise();
    private long timer;
    private @Nullable SqlConnection connection;
    private boolean over;

    Call(String operation, boolean writes, Statement statement, Function<RowSet<Row>, T> answer) {
      this.operation = operation;
      this.writes = writes;
      this.statement = statement;
      this.answer = answer;
    }

    Future<T> start() {
      timer = vertx.setTimer(limitMillis, id -> expire());
      pool.getConnection().onComplete(this::send, this::fail);
      return promise.future();
    }

    private void send(SqlConnection given) {
      synchronized (this) {
        if (over) {
          given.close();
          return;
        }
        connection = given;
      }
      given
          .preparedQuery(statement.sql())
          .execute(statement.parameters())
          .map(answer)
          .onComplete(result -> succeed(given, result), cause -> fail(given, cause));
    }

    private void succeed(SqlConnection used, T result) {
      if (end()) {
        used.close();
        promise.complete(result);
      }
    }

    /** What was cut or lost is not given back: the pool hands it on before it learns of its end. */
    private void fail(SqlConnection used, Throwable cause) {
      if (end()) {
        if (!(cause instanceof ClosedConnectionException)) {
          used.close();
        }
        refuse(cause);
      }
    }

    private void fail(Throwable cause) {
      if (end()) {
        refuse(cause);
      }
    }

    private void refuse(Throwable cause) {
      promise.fail(failure("failed: " + reason(cause), isUnknownAfter(cause), cause));
    }

    private void expire() {
      SqlConnection overdue;
      synchronized (this) {
        overdue = connection;
        if (over) {
          return;
        }
        over = true;
      }
      if (overdue != null) {
        Sockets.cut(overdue);
      }
      String what = overdue == null ? "no connection" : "no answer";
      promise.fail(
          failure(what + " within " + limitMillis + " ms", writes && overdue != null, null));
    }

    private boolean end() {
      synchronized (this) {
        if (over) {
          return false;
        }
        over = true;
      }
      vertx.cancelTimer(timer);
      return true;
    }

    /** An error from the server means that it rolled back, unless it was ending itself. */
    private boolean isUnknownAfter(Throwable cause) {
      synchronized (this) {
        if (!writes || connection == null) {
          return false;
        }
      }
      return !(cause instanceof PgException error && error.getSqlState() != null)
          || error.getSqlState().startsWith("57P")
          || error.getSqlState().startsWith("08");
    }

    private StoreException failure(String what, boolean unknown, @Nullable Throwable cause) {
      String message = "ledger " + operation + ": " + what;
      Outcome outcome = unknown ? Outcome.UNKNOWN : Outcome.NOT_DONE;
      return cause == null
          ? new StoreException(outcome, message)
          : new StoreException(outcome, message, cause);
    }
  }

  private static String reason(Throwable cause) {
    return cause instanceof PgException error
        ? "SQLSTATE " + error.getSqlState()
        : String.valueOf(cause.getMessage());
  }
}
