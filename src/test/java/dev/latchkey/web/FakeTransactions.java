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
 * Gives a store transactions on a {@link FakeConnection}, whose writes become one more effect of
 * the completion.
 */
final class FakeTransactions extends ForwardingStore {

  /** A connection that collects writes. */
  static final class FakeConnection implements Effect {
    private final List<String> writes = new ArrayList<>();

    void write(String what) {
      writes.add(what);
    }

    @Override
    public String name() {
      return "connection";
    }

    @Override
    public String toString() {
      return String.join(",", writes);
    }
  }

  /** If set, the next transaction commits only after its retry has run. */
  volatile boolean nextCommitsLate;

  private Supplier<Future<CompleteResult>> lateCommit;

  FakeTransactions(IdempotencyStore behind) {
    super(behind);
  }

  @Override
  public boolean runsTransactionsOn(Class<?> connectionType) {
    return connectionType == FakeConnection.class;
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, TransactionWork<?> work, List<Effect> effects) {
    @SuppressWarnings("unchecked")
    TransactionWork<FakeConnection> ours = (TransactionWork<FakeConnection>) work;
    return lookup(claim.key())
        .compose(
            state ->
                state instanceof KeyState.InProgress owner && owner.token().equals(claim.token())
                    ? run(claim, ours, effects)
                    : complete(claim, StoredResponse.notRetained(500, Optional.empty()), effects));
  }

  private Future<CompleteResult> run(
      Claim claim, TransactionWork<FakeConnection> work, List<Effect> effects) {
    FakeConnection connection = new FakeConnection();
    List<Effect> all = new ArrayList<>(effects);
    all.add(connection);
    return work.run(connection)
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
          new StoreException(StoreException.Outcome.UNKNOWN, "complete: no response yet"));
    }
    Supplier<Future<CompleteResult>> earlier = lateCommit;
    lateCommit = null;
    return earlier == null
        ? complete(claim, response, effects)
        : earlier.get().compose(done -> complete(claim, response, effects));
  }
}
