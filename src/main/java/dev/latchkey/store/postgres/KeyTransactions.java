package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.TransactionWork;
import dev.latchkey.store.postgres.connection.Failures;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import dev.latchkey.store.postgres.effect.EffectWrite;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Completions in a transaction of several statements: with several effects, or with the
 * application's own work. Safe for any thread.
 */
final class KeyTransactions {

  private final TransactionPool pool;

  KeyTransactions(TransactionPool pool) {
    this.pool = pool;
  }

  /** Completes a key with several effects, in one round trip once the statements are prepared. */
  Future<CompleteResult> complete(Claim claim, StoredResponse response, List<EffectWrite> writes) {
    return pool.run(
        connection ->
            transaction(connection, claim, writes)
                .run(response)
                .compose(result -> checked(connection, claim, result)),
        ifLost(claim));
  }

  /** Completes a key with the response of the application's work inside the transaction. */
  Future<CompleteResult> complete(Claim claim, TransactionWork<?> work, List<EffectWrite> writes) {
    return pool.runWork(
            connection ->
                transaction(connection, claim, writes)
                    .run(work)
                    .compose(result -> checked(connection, claim, result)),
            ifLost(claim),
            new CompleteResult.RolledBack())
        .recover(
            cause ->
                Future.failedFuture(
                    TransactionPool.isLost(cause)
                        ? Failures.permanent("the work ended the transaction that it ran in")
                        : cause));
  }

  /** Refuses an unknown effect, unless the claim is lost. */
  Future<CompleteResult> refuse(Claim claim, CompleteResult refused) {
    return pool.using(
        connection -> resolved(connection, claim, () -> Future.succeededFuture(refused)));
  }

  private CompletingTransaction transaction(
      ReconnectingConnection connection, Claim claim, List<EffectWrite> writes) {
    return new CompletingTransaction(connection, KeyLock.of(claim), writes, pool);
  }

  private static BiFunction<ReconnectingConnection, Throwable, Future<CompleteResult>> ifLost(
      Claim claim) {
    return (connection, cause) -> resolved(connection, claim, () -> Future.failedFuture(cause));
  }

  /**
   * An effect may be refused because of the effect of the same claim, if the commit of an earlier
   * transaction was still under way when the completion was sent again.
   */
  private static Future<CompleteResult> checked(
      ReconnectingConnection connection, Claim claim, CompleteResult result) {
    return result instanceof EffectRefused
        ? resolved(connection, claim, () -> Future.succeededFuture(result))
        : Future.succeededFuture(result);
  }

  private static Future<CompleteResult> resolved(
      ReconnectingConnection connection, Claim claim, Supplier<Future<CompleteResult>> ifHeld) {
    return ClaimState.of(connection, claim)
        .compose(
            state ->
                switch (state.standing()) {
                  case COMPLETED ->
                      Future.succeededFuture(new CompleteResult.Completed(state.expiry()));
                  case HELD -> ifHeld.get();
                  case RELEASED, LOST -> Future.succeededFuture(new CompleteResult.LostLease());
                });
  }
}
