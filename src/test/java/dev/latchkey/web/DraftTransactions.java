package dev.latchkey.web;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.TransactionWork;
import dev.latchkey.store.ForwardingStore;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Gives a store transactions on a {@link Draft}: what the work notes there is written as one more
 * effect of the completion, or not at all.
 */
final class DraftTransactions extends ForwardingStore {

  /** A connection of sorts. */
  static final class Draft implements Effect {
    private final List<String> writes = new ArrayList<>();

    void write(String what) {
      writes.add(what);
    }

    @Override
    public String name() {
      return "draft";
    }

    @Override
    public String toString() {
      return String.join(",", writes);
    }
  }

  /** When set, the next transaction commits only after the one that is sent after it has run. */
  volatile boolean nextCommitsLate;

  private Supplier<Future<CompleteResult>> lateCommit;

  DraftTransactions(IdempotencyStore behind) {
    super(behind);
  }

  @Override
  public boolean runsTransactionsOn(Class<?> connectionType) {
    return connectionType == Draft.class;
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, TransactionWork<?> work, List<Effect> effects) {
    @SuppressWarnings("unchecked")
    TransactionWork<Draft> ours = (TransactionWork<Draft>) work;
    return lookup(claim.key())
        .compose(
            state ->
                state instanceof KeyState.InProgress owner && owner.token().equals(claim.token())
                    ? run(claim, ours, effects)
                    : complete(claim, StoredResponse.notRetained(500, Optional.empty()), effects));
  }

  private Future<CompleteResult> run(
      Claim claim, TransactionWork<Draft> work, List<Effect> effects) {
    Draft draft = new Draft();
    List<Effect> all = new ArrayList<>(effects);
    all.add(draft);
    return work.run(draft)
        .compose(
            made ->
                made.map(response -> commit(claim, response, all))
                    .orElseGet(() -> Future.succeededFuture(new CompleteResult.RolledBack())));
  }

  private synchronized Future<CompleteResult> commit(
      Claim claim, StoredResponse response, List<Effect> effects) {
    if (nextCommitsLate) {
      nextCommitsLate = false;
      lateCommit = () -> complete(claim, response, effects);
      return Future.failedFuture(
          new StoreException(StoreException.Outcome.UNKNOWN, "complete: no answer yet"));
    }
    Supplier<Future<CompleteResult>> earlier = lateCommit;
    lateCommit = null;
    return earlier == null
        ? complete(claim, response, effects)
        : earlier.get().compose(done -> complete(claim, response, effects));
  }
}
