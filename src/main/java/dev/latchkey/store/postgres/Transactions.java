package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.TransactionWork;
import dev.latchkey.store.postgres.Completion.Write;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What takes more than one statement: completions with several effects, or with the application's
 * own work. May be called on any thread.
 */
final class Transactions {

  private final TransactionPool pool;

  Transactions(TransactionPool pool) {
    this.pool = pool;
  }

  /** Completes a key with several effects: one round trip, when the statements are known. */
  Future<CompleteResult> complete(Claim claim, StoredResponse response, List<Write> writes) {
    Holding holding = new ClaimHolding(claim);
    return run(claim, link -> pool.transaction(link, holding, writes).run(response));
  }

  /** Completes a key with the answer that the application's work makes inside the transaction. */
  Future<CompleteResult> complete(Claim claim, TransactionWork<?> work, List<Write> writes) {
    Holding holding = new ClaimHolding(claim);
    return run(claim, link -> pool.transaction(link, holding, writes).run(work))
        .recover(
            cause ->
                Future.failedFuture(
                    TransactionPool.isLost(cause)
                        ? Failures.hopeless("the work ended the transaction that it ran in")
                        : cause));
  }

  /** Refuses an effect that the store does not know, unless the claim is lost anyhow. */
  Future<CompleteResult> refuse(Claim claim, Effect unknown) {
    CompleteResult refused = new EffectRefused(unknown.name(), Writes.sayUnknown(unknown));
    return pool.using(link -> resolved(link, claim, () -> Future.succeededFuture(refused)));
  }

  private Future<CompleteResult> run(Claim claim, Function<Link, Future<CompleteResult>> attempt) {
    return pool.run(
        link -> attempt.apply(link).compose(result -> looked(link, claim, result)),
        (link, cause) -> resolved(link, claim, () -> Future.failedFuture(cause)),
        new CompleteResult.RolledBack());
  }

  /**
   * What is in an effect's way may be this very claim's, of a transaction whose commit was under
   * way when the completion was sent again.
   */
  private static Future<CompleteResult> looked(Link link, Claim claim, CompleteResult result) {
    return result instanceof EffectRefused
        ? resolved(link, claim, () -> Future.succeededFuture(result))
        : Future.succeededFuture(result);
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
    return pool.purge(KeySql.PURGE, limit);
  }
}
