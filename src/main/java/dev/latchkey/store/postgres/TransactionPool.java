package dev.latchkey.store.postgres;

import dev.latchkey.store.postgres.connection.Connections;
import dev.latchkey.store.postgres.connection.Failures;
import dev.latchkey.store.postgres.connection.Limits;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import dev.latchkey.store.postgres.connection.SessionSettings;
import dev.latchkey.store.postgres.connection.SqlState;
import dev.latchkey.store.postgres.effect.EffectSql;
import dev.latchkey.store.postgres.effect.PostgresEffectKind;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.pgclient.PgException;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Runs transactions of several statements, and long statements: a limited number at a time, each on
 * a connection of its own, which is made when it is needed and kept. Safe for any thread.
 */
final class TransactionPool {

  /** How often a transaction is tried that conflicts with others. */
  private static final int TRIES = 4;

  private final Connections connections;
  private final ContextInternal context;
  private final Limits limits;
  private final ArrayDeque<ReconnectingConnection> free = new ArrayDeque<>();
  private final ArrayDeque<Promise<ReconnectingConnection>> waiting = new ArrayDeque<>();
  private final Map<PostgresEffectKind, String> effects = new ConcurrentHashMap<>();
  private int made;

  TransactionPool(Connections connections, Limits limits) {
    this.connections = connections;
    context = connections.context();
    this.limits = limits;
  }

  /** Returns the statement that writes one effect. */
  String effect(PostgresEffectKind kind) {
    return effects.computeIfAbsent(kind, EffectSql::alone);
  }

  /**
   * Runs a transaction; retries it a few times if other transactions conflict with it.
   *
   * @param attempt one attempt, on a connection that is ready
   * @param ifLost the result if the claim or receipt is lost, from the failure that said so
   */
  <R> Future<R> run(
      Function<ReconnectingConnection, Future<R>> attempt,
      BiFunction<ReconnectingConnection, Throwable, Future<R>> ifLost) {
    return run(TRIES, attempt, ifLost);
  }

  /**
   * Runs a transaction with the application's work; as {@link #run}. An execution that the server
   * rolled back is repeated once, and then ends as rolled back, so that it cannot loop.
   */
  <R> Future<R> runWork(
      Function<ReconnectingConnection, Future<R>> attempt,
      BiFunction<ReconnectingConnection, Throwable, Future<R>> ifLost,
      R rolledBack) {
    return run(attempt, ifLost)
        .recover(
            cause ->
                cause instanceof WorkRolledBack ? run(attempt, ifLost) : Future.failedFuture(cause))
        .recover(
            cause ->
                cause instanceof WorkRolledBack
                    ? Future.succeededFuture(rolledBack)
                    : Future.failedFuture(cause));
  }

  private <R> Future<R> run(
      int tries,
      Function<ReconnectingConnection, Future<R>> attempt,
      BiFunction<ReconnectingConnection, Throwable, Future<R>> ifLost) {
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
            cause ->
                tries > 1 && cause instanceof PgException refused && SqlState.isContention(refused)
                    ? run(tries - 1, attempt, ifLost)
                    : Future.failedFuture(cause));
  }

  /** Whether a transaction failed because the claim or receipt is lost. */
  static boolean isLost(Throwable cause) {
    return cause instanceof PgException lost && SqlState.of(lost).equals(SqlState.LOST);
  }

  /** Runs an action on a connection without another user, on its event loop. */
  <T> Future<T> using(Function<ReconnectingConnection, Future<T>> action) {
    Promise<T> promise = Promise.promise();
    context.runOnContext(
        ignored ->
            take()
                .compose(
                    connection ->
                        connection
                            .ready()
                            .compose(connected -> action.apply(connection))
                            .onComplete(done -> giveBack(connection)))
                .onComplete(promise));
    return promise.future();
  }

  private Future<ReconnectingConnection> take() {
    ReconnectingConnection connection = free.poll();
    if (connection != null) {
      return Future.succeededFuture(connection);
    }
    if (made == 0 || (made < limits.maxTransactions() && connections.left() > 0)) {
      made++;
      return Future.succeededFuture(connections.add(SessionSettings.TRANSACTIONS));
    }
    if (waiting.size() >= limits.maxQueue()) {
      return Future.failedFuture(Failures.tooManyWait(waiting.size()));
    }
    Promise<ReconnectingConnection> promise = Promise.promise();
    waiting.add(promise);
    long timer =
        context.setTimer(
            limits.queueLimitMillis(),
            ignored -> {
              waiting.remove(promise);
              promise.tryFail(
                  Failures.notDone(
                      "no connection was free within " + limits.queueLimitMillis() + " ms"));
            });
    return promise.future().onComplete(done -> context.owner().cancelTimer(timer));
  }

  private void giveBack(ReconnectingConnection connection) {
    Promise<ReconnectingConnection> next = waiting.poll();
    if (next == null) {
      free.push(connection);
    } else if (!next.tryComplete(connection)) {
      giveBack(connection);
    }
  }
}
