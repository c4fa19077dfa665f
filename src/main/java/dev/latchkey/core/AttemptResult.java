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

/** The result of an execution: its response, its effects, and whether to store them. */
abstract sealed class AttemptResult {

  private final List<Effect> effects;
  private final boolean keep;

  private AttemptResult(List<Effect> effects, boolean keep) {
    this.effects = List.copyOf(effects);
    this.keep = keep;
  }

  /** A response to store. */
  static AttemptResult kept(StoredResponse response, List<Effect> effects) {
    return new Fixed(response, effects, true);
  }

  /** A response that is not stored. */
  static AttemptResult released(StoredResponse response) {
    return new Fixed(response, List.of(), false);
  }

  /** A response to store, made by the completing transaction. */
  static AttemptResult inTransaction(TransactionWork<?> work, List<Effect> effects) {
    return new InTransaction<>(work, effects);
  }

  boolean keep() {
    return keep;
  }

  List<Effect> effects() {
    return effects;
  }

  /** Returns whether {@link #response} is the stored response once the key is completed. */
  boolean isTheOnlyResponse() {
    return true;
  }

  /** Returns the response; of a transaction only after its completion. */
  abstract StoredResponse response();

  /** Sends the completion. */
  abstract Future<CompleteResult> sendTo(IdempotencyStore store, Claim claim);

  private static final class Fixed extends AttemptResult {
    private final StoredResponse response;

    Fixed(StoredResponse response, List<Effect> effects, boolean keep) {
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
   * Keeps the response of the latest run. After a second run it is unknown which one was committed:
   * the first may still have been active when the second began.
   */
  private static final class InTransaction<C> extends AttemptResult implements TransactionWork<C> {
    private final TransactionWork<C> work;
    private int runs;
    private Optional<StoredResponse> response = Optional.empty();

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
      response = made;
      return made;
    }

    @Override
    synchronized boolean isTheOnlyResponse() {
      return runs <= 1;
    }

    @Override
    synchronized StoredResponse response() {
      return response.orElseThrow(
          () -> new IllegalStateException("the transaction has no response"));
    }

    @Override
    Future<CompleteResult> sendTo(IdempotencyStore store, Claim claim) {
      return store.complete(claim, this, effects());
    }
  }
}
