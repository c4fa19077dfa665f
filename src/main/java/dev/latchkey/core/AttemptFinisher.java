package dev.latchkey.core;

import dev.latchkey.core.AttemptState.State;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.ReleaseResult;
import dev.latchkey.core.spi.StepResult;
import dev.latchkey.core.spi.StoredResponse;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;

/**
 * Ends attempts: stores the answer or gives the claim back, and only then lets the answer out. A
 * call whose answer stays away is sent again, the same, until the store says what became of it; the
 * claim and its waiters stay meanwhile. An attempt that lost its lease is handed to {@link
 * LostLeaseHandler}.
 */
final class AttemptFinisher {

  private final IdempotencyEngine engine;
  private final NodeState node;

  AttemptFinisher(IdempotencyEngine engine, NodeState node) {
    this.engine = engine;
    this.node = node;
  }

  Future<StepResult> recordStep(Attempt attempt, String name, Buffer result) {
    long askedAtNanos = node.environment.nowNanos();
    return node.bounded(node.store.recordStep(attempt.claim(), name, result))
        .onFailure(failure -> attempt.stepFailed(askedAtNanos, node.environment.nowNanos()));
  }

  boolean runsTransactionsOn(Class<?> connectionType) {
    return node.store.runsTransactionsOn(connectionType);
  }

  void complete(Attempt attempt, AttemptResult ending) {
    begin(attempt, ending, State.COMPLETING);
  }

  void release(Attempt attempt, AttemptResult ending) {
    begin(attempt, ending, State.RELEASING);
  }

  /** Releases a claim that nobody wants to run. */
  void giveBack(Attempt attempt) {
    StoredResponse nothing = StoredResponse.of(503, List.of(), Buffer.buffer());
    begin(attempt, AttemptResult.released(nothing), State.RELEASING);
  }

  private void begin(Attempt attempt, AttemptResult ending, State state) {
    if (!attempt.end(ending, state, node.environment.nowNanos())) {
      throw new IllegalStateException("the attempt has ended already");
    }
    send(attempt);
  }

  /** Sends the ending to the store, for the first time or again. */
  void send(Attempt attempt) {
    long askedAtNanos = node.environment.nowNanos();
    attempt.sent(askedAtNanos);
    attempt.resultSent();
    AttemptResult ending = attempt.result();
    if (ending.keep()) {
      ending
          .sendTo(node.store, attempt.claim())
          .onComplete(
              result -> completed(attempt, ending, result, askedAtNanos),
              failure -> unknown(attempt, State.COMPLETING));
    } else {
      node.store
          .release(attempt.claim())
          .onComplete(
              result -> released(attempt, result), failure -> unknown(attempt, State.RELEASING));
    }
  }

  private void completed(
      Attempt attempt, AttemptResult sent, CompleteResult result, long askedAtNanos) {
    if (!attempt.endsWith(sent)) {
      // Told late about an answer that has been replaced since.
      return;
    }
    long nowNanos = node.environment.nowNanos();
    if (result instanceof CompleteResult.Completed && !sent.isTheOnlyAnswer()) {
      if (attempt.move(State.COMPLETING, State.READING, nowNanos)) {
        engine.lostLeaseHandler().readAgain(attempt);
      }
    } else if (result instanceof CompleteResult.Completed done) {
      if (attempt.move(State.COMPLETING, State.ENDED, nowNanos)) {
        stored(attempt, done.expiry(), askedAtNanos);
      }
    } else if (result instanceof CompleteResult.EffectRefused refused) {
      if (attempt.move(State.COMPLETING, State.RUNNING, nowNanos)) {
        attempt.owner().ifPresent(owner -> owner.effectRefused(refused));
      }
    } else if (result instanceof CompleteResult.RolledBack) {
      if (attempt.move(State.COMPLETING, State.RUNNING, nowNanos)) {
        attempt.owner().ifPresent(Owner::rolledBack);
      }
    } else if (attempt.move(State.COMPLETING, State.READING, nowNanos)) {
      engine.lostLeaseHandler().begin(attempt);
    }
  }

  /** The answer of this attempt is the one of its key. */
  void stored(Attempt attempt, Expiry expiry, long askedAtNanos) {
    StoredResponse response = attempt.result().response();
    node.cache.keep(attempt.operation(), response, expiry, askedAtNanos);
    attempt.owner().ifPresent(owner -> owner.completed(expiry));
    settle(attempt, EntryResult.stored(attempt.operation(), response, expiry));
    node.end(attempt);
  }

  private void released(Attempt attempt, ReleaseResult result) {
    long nowNanos = node.environment.nowNanos();
    if (result == ReleaseResult.LOST_LEASE) {
      if (attempt.move(State.RELEASING, State.READING, nowNanos)) {
        engine.lostLeaseHandler().begin(attempt);
      }
    } else if (attempt.move(State.RELEASING, State.ENDED, nowNanos)) {
      notStored(attempt);
    }
  }

  /** The answer of this attempt goes out, and is nobody else's but that of who waits here. */
  void notStored(Attempt attempt) {
    Optional<Owner> owner = attempt.owner();
    CallerResponse response =
        owner.isPresent()
            ? new CallerResponse.SharedResponse(attempt.result().response())
            : new CallerResponse.AttemptFailed();
    owner.ifPresent(Owner::released);
    if (attempt.entry().isRunBy(attempt)) {
      node.settle(attempt.entry(), EntryResult.notStored(attempt.operation(), response));
    }
    node.end(attempt);
  }

  /**
   * Tells those who wait on this node for the attempt's key, also when it had been given up here
   * and the key was only watched since.
   */
  void settle(Attempt attempt, EntryResult result) {
    KeyEntry own = attempt.entry();
    if (own.isRunBy(attempt)) {
      node.settle(own, result);
      return;
    }
    KeyEntry current = node.table.get(attempt.operation().key());
    if (current != null
        && current.is(EntryActivity.WATCHING)
        && current.isFor(attempt.operation().fingerprint())) {
      node.settle(current, result);
    }
  }

  private void unknown(Attempt attempt, State state) {
    if (attempt.state() == state) {
      node.environment.after(attempt.backOffMillis(), () -> sendAgain(attempt, state));
    }
  }

  private void sendAgain(Attempt attempt, State state) {
    if (attempt.state() != state) {
      return;
    }
    if (attempt.isPastResolving(node.environment.nowNanos())) {
      abandon(attempt);
    } else {
      send(attempt);
    }
  }

  /** The store has not answered in time: the caller is told so, the ending is pursued. */
  void overdue(Attempt attempt, State state, boolean silent) {
    attempt.owner().ifPresent(owner -> owner.respond(new CallerResponse.StoreUnavailable(true)));
    if (!silent) {
      return;
    }
    if (state == State.READING) {
      engine.lostLeaseHandler().readAgain(attempt);
    } else {
      sendAgain(attempt, state);
    }
  }

  /** Nobody can say any more what became of the attempt; its key goes on without it. */
  void abandon(Attempt attempt) {
    State state = attempt.state();
    if (state != State.ENDED && attempt.move(state, State.ENDED, node.environment.nowNanos())) {
      attempt.owner().ifPresent(owner -> owner.respond(new CallerResponse.StoreUnavailable(true)));
      detach(attempt, node.environment.nowNanos());
      node.end(attempt);
    }
  }

  /**
   * From now on the key is watched like anybody else's, if somebody waits for it. A claim that was
   * offered to those who wait, and that nobody has taken, is given back.
   */
  void detach(Attempt attempt, long leaseEndsAtNanos) {
    boolean untaken = attempt.entry().withdrawOffer(attempt);
    if (attempt.entry().watching(attempt, leaseEndsAtNanos)) {
      engine.watcher().beginOrDrop(attempt.entry());
    }
    if (untaken) {
      giveBack(attempt);
    }
  }
}
