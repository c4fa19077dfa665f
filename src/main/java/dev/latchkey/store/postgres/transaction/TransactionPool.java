package dev.latchkey.store.postgres.transaction;

import dev.latchkey.store.postgres.connection.ConnectionPool;
import dev.latchkey.store.postgres.connection.Connections;
import dev.latchkey.store.postgres.connection.Limits;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import dev.latchkey.store.postgres.connection.SqlState;
import dev.latchkey.store.postgres.effect.EffectWrite;
import dev.latchkey.store.postgres.effect.PostgresEffectKind;
import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Runs transactions of several statements, and long statements: a limited number at a time, each on
 * a connection of its own. Safe for any thread.
 */
public final class TransactionPool {

  /** How often a transaction is tried that conflicts with others. */
  private static final int TRIES = 4;

  private static final int PURGED_AT_ONCE = 500;

  private final ConnectionPool connections;
  private final ConcurrentMap<PostgresEffectKind, String> statements = new ConcurrentHashMap<>();

  /** Makes a pool without connections. */
  public TransactionPool(Connections connections, Limits limits) {
    this.connections = new ConnectionPool(connections, limits);
  }

  /** Runs an action on a connection of its own. */
  public <R> Future<R> using(Function<ReconnectingConnection, Future<R>> action) {
    return connections.using(action);
  }

  /** Makes a transaction that completes a key. */
  public CompletingTransaction transaction(
      ReconnectingConnection connection, KeyLock key, List<EffectWrite> writes) {
    return new CompletingTransaction(connection, key, writes, statements);
  }

  /**
   * Runs a transaction; retries it a few times if other transactions conflict with it, and once if
   * its connection broke while its work ran. An execution whose connection breaks each time ends as
   * rolled back, so that the caller does not repeat it endlessly.
   *
   * @param attempt one attempt, on a connection that is ready
   * @param ifLost the result if the claim or receipt is lost, from the failure that said so
   * @param rolledBack the result if the connection broke twice
   */
  public <R> Future<R> run(
      Function<ReconnectingConnection, Future<R>> attempt,
      BiFunction<ReconnectingConnection, Throwable, Future<R>> ifLost,
      R rolledBack) {
    return run(TRIES, true, attempt, ifLost, rolledBack);
  }

  private <R> Future<R> run(
      int tries,
      boolean mayBreak,
      Function<ReconnectingConnection, Future<R>> attempt,
      BiFunction<ReconnectingConnection, Throwable, Future<R>> ifLost,
      R rolledBack) {
    return using(
            connection ->
                attempt
                    .apply(connection)
                    .recover(
                        cause ->
                            isLost(cause)
                                ? ifLost.apply(connection, cause)
                                : Future.failedFuture(cause)))
        .recover(
            cause -> {
              if (cause instanceof ConnectionBrokeDuringWork) {
                return mayBreak
                    ? run(tries, false, attempt, ifLost, rolledBack)
                    : Future.succeededFuture(rolledBack);
              }
              return tries > 1
                      && cause instanceof PgException refused
                      && SqlState.isContention(refused)
                  ? run(tries - 1, mayBreak, attempt, ifLost, rolledBack)
                  : Future.failedFuture(cause);
            });
  }

  /** Whether a transaction failed because the claim or receipt is lost. */
  public static boolean isLost(Throwable cause) {
    return cause instanceof PgException lost && SqlState.of(lost).equals(SqlState.LOST);
  }

  /**
   * Deletes expired rows, a few hundred at a time; stops if another node does the same.
   *
   * @param sql takes a limit and returns the number of deleted rows
   */
  public Future<Integer> purge(String sql, int limit) {
    return using(connection -> purge(connection, sql, limit, 0));
  }

  private static Future<Integer> purge(
      ReconnectingConnection connection, String sql, int limit, int soFar) {
    int next = Math.min(PURGED_AT_ONCE, limit - soFar);
    if (next <= 0) {
      return Future.succeededFuture(soFar);
    }
    return connection
        .send(sql, Tuple.of((long) next))
        .compose(
            rows -> {
              int removed = rows.iterator().next().getLong("removed").intValue();
              return removed < next
                  ? Future.succeededFuture(soFar + removed)
                  : purge(connection, sql, limit, soFar + removed);
            });
  }
}
