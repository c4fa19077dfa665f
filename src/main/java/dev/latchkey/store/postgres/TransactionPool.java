package dev.latchkey.store.postgres;

import dev.latchkey.store.postgres.Completion.Write;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs what takes more than one statement, or long: a bounded number at a time, each on a
 * connection of its own. May be called on any thread.
 */
final class TransactionPool {

  /** How often a transaction is begun that others are in the way of. */
  private static final int TRIES = 4;

  private static final int PURGED_AT_ONCE = 500;

  private final LinkPool links;
  private final ConcurrentMap<EffectKind, String> statements = new ConcurrentHashMap<>();

  TransactionPool(Supplier<Link> source, ContextInternal context, Limits limits) {
    links = new LinkPool(source, context, limits);
  }

  <R> Future<R> using(Function<Link, Future<R>> action) {
    return links.using(action);
  }

  CompletingTransaction transaction(Link link, Holding holding, List<Write> writes) {
    return new CompletingTransaction(link, holding, writes, statements);
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
  <R> Future<R> run(
      Function<Link, Future<R>> attempt,
      BiFunction<Link, Throwable, Future<R>> ifLost,
      R rolledBack) {
    return run(TRIES, true, attempt, ifLost, rolledBack);
  }

  private <R> Future<R> run(
      int tries,
      boolean mayBreak,
      Function<Link, Future<R>> attempt,
      BiFunction<Link, Throwable, Future<R>> ifLost,
      R rolledBack) {
    return using(
            link ->
                attempt
                    .apply(link)
                    .recover(
                        cause ->
                            isLost(cause) ? ifLost.apply(link, cause) : Future.failedFuture(cause)))
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

  static boolean isLost(Throwable cause) {
    return cause instanceof PgException lost && SqlState.of(lost).equals(SqlState.LOST);
  }

  /**
   * Removes what has expired, a few hundred at a time; stops where another node does the same.
   *
   * @param sql takes a limit and tells how many it removed
   */
  Future<Integer> purge(String sql, int limit) {
    return using(link -> purge(link, sql, limit, 0));
  }

  private static Future<Integer> purge(Link link, String sql, int limit, int soFar) {
    int next = Math.min(PURGED_AT_ONCE, limit - soFar);
    if (next <= 0) {
      return Future.succeededFuture(soFar);
    }
    return link.send(sql, Tuple.of((long) next))
        .compose(
            rows -> {
              int removed = rows.iterator().next().getLong("removed").intValue();
              return removed < next
                  ? Future.succeededFuture(soFar + removed)
                  : purge(link, sql, limit, soFar + removed);
            });
  }

  Future<Void> close() {
    return links.close();
  }
}
