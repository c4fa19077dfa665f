package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.PurgeResult;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import dev.latchkey.store.postgres.connection.SqlState;
import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.concurrent.TimeUnit;

/**
 * Deletes the expired rows of one table, some hundred rows or about a mebibyte per statement. It
 * goes on where it ended: while an old snapshot is held, each statement would read all deleted rows
 * again. Safe for any thread.
 */
final class Purge {

  private static final int MAX_ROWS = 500;

  /** When it begins at the first row again, in case the server's clock was set back. */
  private static final long RESTART_NANOS = TimeUnit.HOURS.toNanos(1);

  private final TransactionPool pool;
  private final String sql;
  private int rows = MAX_ROWS;
  private long fromMillis;
  private long begunNanos = System.nanoTime();

  /**
   * Makes a purge.
   *
   * @param sql a statement of {@link dev.latchkey.store.postgres.sql.PurgeSql}
   */
  Purge(TransactionPool pool, String sql) {
    this.pool = pool;
    this.sql = sql;
  }

  /** Deletes up to a number of rows; nothing while another node does. */
  Future<PurgeResult> run(int limit) {
    return pool.using(connection -> run(connection, limit, 0));
  }

  private Future<PurgeResult> run(ReconnectingConnection connection, int limit, int purged) {
    if (System.nanoTime() - begunNanos > RESTART_NANOS) {
      begunNanos = System.nanoTime();
      fromMillis = 0;
    }
    int next = Math.min(rows, limit - purged);
    return connection
        .send(sql, Tuple.of((long) next, fromMillis))
        .compose(
            result -> {
              rows = Math.min(MAX_ROWS, rows * 2);
              return more(connection, limit, purged, next, result.iterator().next());
            },
            cause -> {
              if (next > 1 && cause instanceof PgException late && SqlState.isTimeout(late)) {
                rows = next / 2;
                return run(connection, limit, purged);
              }
              return Future.failedFuture(cause);
            });
  }

  private Future<PurgeResult> more(
      ReconnectingConnection connection, int limit, int before, int asked, Row result) {
    int removed = result.getLong("removed").intValue();
    int due = result.getLong("due").intValue();
    int purged = before + removed;
    fromMillis = result.getLong("position");
    boolean isFull = removed == asked;
    return isFull && purged < limit
        ? run(connection, limit, purged)
        : Future.succeededFuture(new PurgeResult(purged, isFull || (removed > 0 && due > removed)));
  }
}
