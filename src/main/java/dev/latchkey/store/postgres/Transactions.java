package dev.latchkey.store.postgres;

import dev.latchkey.idempotency.spi.Claim;
import dev.latchkey.idempotency.spi.CompleteResult;
import dev.latchkey.idempotency.spi.CompleteResult.EffectRefused;
import dev.latchkey.idempotency.spi.Effect;
import dev.latchkey.idempotency.spi.StoredResponse;
import dev.latchkey.idempotency.spi.TransactionWork;
import dev.latchkey.store.postgres.Completion.Write;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What takes more than one statement: completions with several effects, or with the application's
 * own work. A bounded number at a time, each on a connection of its own. May be called on any
 * thread.
 */
final class Transactions {

  /** How often a transaction is begun that others are in the way of. */
  private static final int TRIES = 4;

  private static final int PURGED_AT_ONCE = 500;

  private final LinkPool pool;
  private final ConcurrentMap<EffectKind, String> statements = new ConcurrentHashMap<>();

  Transactions(Supplier<Link> source, ContextInternal context, PostgresStoreOptions limits) {
    pool = new LinkPool(source, context, limits);
  }

  /** Completes a key with several effects: one round trip, when the statements are known. */
  Future<CompleteResult> complete(Claim claim, StoredResponse response, List<Write> writes) {
    return again(claim, TRIES, link -> transaction(link, claim, writes).run(response));
  }

  /** Completes a key with the answer that the application's work makes inside the transaction. */
  Future<CompleteResult> complete(Claim claim, TransactionWork<?> work, List<Write> writes) {
    return again(claim, TRIES, link -> transaction(link, claim, writes).run(work))
        .recover(
            cause ->
                Future.failedFuture(
                    isLost(cause)
                        ? Failures.notDone(
                            "the work ended the transaction that it ran in; a retry cannot help")
                        : cause));
  }

  private CompletingTransaction transaction(Link link, Claim claim, List<Write> writes) {
    return new CompletingTransaction(link, claim, writes, statements);
  }

  /** Refuses an effect that the store does not know, unless the claim is lost anyhow. */
  Future<CompleteResult> refuse(Claim claim, Effect unknown) {
    CompleteResult refused =
        new EffectRefused(
            unknown.name(), "this store knows no effect " + unknown.getClass().getName());
    return pool.using(link -> resolved(link, claim, () -> Future.succeededFuture(refused)));
  }

  private Future<CompleteResult> again(
      Claim claim, int tries, Function<Link, Future<CompleteResult>> attempt) {
    Future<CompleteResult> result =
        pool.using(
            link ->
                attempt
                    .apply(link)
                    .recover(
                        cause ->
                            isLost(cause)
                                ? resolved(link, claim, () -> Future.failedFuture(cause))
                                : Future.failedFuture(cause)));
    return result.recover(
        cause ->
            tries > 1 && cause instanceof PgException refused && SqlState.isContention(refused)
                ? again(claim, tries - 1, attempt)
                : Future.failedFuture(cause));
  }

  private static boolean isLost(Throwable cause) {
    return cause instanceof PgException lost && SqlState.of(lost).equals(SqlState.LOST);
  }

  private static Future<CompleteResult> resolved(
      Link link, Claim claim, Supplier<Future<CompleteResult>> ifHeld) {
    return Resolution.of(link, List.of(claim))
        .compose(
            left ->
                switch (left.get(0).standing()) {
                  case COMPLETED ->
                      Future.succeededFuture(new CompleteResult.Completed(left.get(0).expiry()));
                  case HELD -> ifHeld.get();
                  case RELEASED, LOST -> Future.succeededFuture(new CompleteResult.LostLease());
                });
  }

  /** Removes expired keys, a few hundred at a time; stops where another node does the same. */
  Future<Integer> purge(int limit) {
    return pool.using(link -> purge(link, limit, 0));
  }

  private static Future<Integer> purge(Link link, int limit, int soFar) {
    int next = Math.min(PURGED_AT_ONCE, limit - soFar);
    if (next <= 0) {
      return Future.succeededFuture(soFar);
    }
    return link.send(KeySql.PURGE, Tuple.of((long) next))
        .compose(
            rows -> {
              int removed = rows.iterator().next().getLong("removed").intValue();
              return removed < next
                  ? Future.succeededFuture(soFar + removed)
                  : purge(link, limit, soFar + removed);
            });
  }

  Future<Void> close() {
    return pool.close();
  }
}
