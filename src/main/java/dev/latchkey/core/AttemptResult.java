package dev.latchkey.core;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.TransactionWork;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** How a handler ended: its answer, what is written with it, and whether it is to be stored. */
abstract sealed class AttemptResult {

  private final List<Effect> effects;
  private final boolean keep;

  private AttemptResult(List<Effect> effects, boolean keep) {
    this.effects = List.copyOf(effects);
    this.keep = keep;
  }

  /** An answer to store. */
  static AttemptResult kept(StoredResponse response, List<Effect> effects) {
    return new Answered(response, effects, true);
  }

  /** An answer that is not to be stored. */
  static AttemptResult released(StoredResponse response) {
    return new Answered(response, List.of(), false);
  }

  /** An answer to store that the completing transaction makes. */
  static AttemptResult inTransaction(TransactionWork<?> work, List<Effect> effects) {
    return new InTransaction<>(work, effects);
  }

  boolean keep() {
    return keep;
  }

  List<Effect> effects() {
    return effects;
  }

  /** Whether {@link #response} is what is stored, once the store says that it is completed. */
  boolean isTheOnlyAnswer() {
    return true;
  }

  /** The answer; of a transaction only once the store has said that it is completed. */
  abstract StoredResponse response();

  /** Sends the completion, for the first time or again. */
  abstract Future<CompleteResult> sendTo(IdempotencyStore store, Claim claim);

  private static final class Answered extends AttemptResult {
    private final StoredResponse response;

    Answered(StoredResponse response, List<Effect> effects, boolean keep) {
      super(effects, keep);
      this.response = response;
    }

    @Override
    StoredResponse response() {
      return response;
    }

    @Override
    Future<CompleteResult> sendTo(IdempotencyStore store, Claim claim) {
      return store.complete(claim, response, effects());
    }
  }

  /**
   * Remembers the answer of the latest run. After a second run nobody here can tell which of the
   * two was committed: the first may have been under way still when the second began.
   */
  private static final class InTransaction<C> extends AttemptResult implements TransactionWork<C> {
    private final TransactionWork<C> work;
    private int runs;
    private Optional<StoredResponse> answer = Optional.empty();

    InTransaction(TransactionWork<C> work, List<Effect> effects) {
      super(effects, true);
      this.work = work;
    }

    @Override
    public Class<C> connectionType() {
      return work.connectionType();
    }

    @Override
    public Future<Optional<StoredResponse>> run(C connection) {
      int number = begin();
      return work.run(connection).map(made -> end(number, made));
    }

    private synchronized int begin() {
      return ++runs;
    }

    private synchronized Optional<StoredResponse> end(int number, Optional<StoredResponse> made) {
      if (number != runs) {
        return Optional.empty();
      }
      answer = made;
      return made;
    }

    @Override
    synchronized boolean isTheOnlyAnswer() {
      return runs <= 1;
    }

    @Override
    synchronized StoredResponse response() {
      return answer.orElseThrow(
          () -> new IllegalStateException("the transaction has given no answer"));
    }

    @Override
    Future<CompleteResult> sendTo(IdempotencyStore store, Claim claim) {
      return store.complete(claim, this, effects());
    }
  }
}
