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
 * Ends attempts: stores the response or releases the claim, and only then lets the response out. A
 * call without a result is repeated unchanged until the store replies; claim and waiters stay. An
 * attempt that lost its lease goes to {@link LostLeaseHandler}.
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

  /** Releases a claim without execution. */
  void giveBack(Attempt attempt) {
    StoredResponse nothing = StoredResponse.of(503, List.of(), Buffer.buffer());
    begin(attempt, AttemptResult.released(nothing), State.RELEASING);
  }

  private void begin(Attempt attempt, AttemptResult ending, State state) {
    if (!attempt.end(ending, state, node.environment.nowNanos())) {
      throw new IllegalStateException("the attempt has already ended");
    }
    send(attempt);
  }

  /** Sends the result to the store, for the first time or again. */
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
      // A late result for a response that was replaced.
      return;
    }
    long nowNanos = node.environment.nowNanos();
    if (result instanceof CompleteResult.Completed && !sent.isTheOnlyResponse()) {
      if (attempt.move(State.COMPLETING, State.READING, nowNanos)) {
        engine.lostLeaseHandler.readAgain(attempt);
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
        attempt.owner().ifPresent(Request::rolledBack);
      }
    } else if (attempt.move(State.COMPLETING, State.READING, nowNanos)) {
      engine.lostLeaseHandler.begin(attempt);
    }
  }

  /** The attempt's response is the key's stored response. */
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
        engine.lostLeaseHandler.begin(attempt);
      }
    } else if (attempt.move(State.RELEASING, State.ENDED, nowNanos)) {
      notStored(attempt);
    }
  }

  /** The attempt's response goes to its owner and to the waiters of this node only. */
  void notStored(Attempt attempt) {
    Optional<Request> owner = attempt.owner();
    CallerResponse response =
        owner.isPresent()
            ? new CallerResponse.SharedResponse(attempt.result().response())
            : new CallerResponse.AttemptFailed();
    owner.ifPresent(Request::released);
    if (attempt.entry().isRunBy(attempt)) {
      node.settle(attempt.entry(), EntryResult.notStored(attempt.operation(), response));
    }
    node.end(attempt);
  }

  /**
   * Responds to this node's waiters for the key, even if the attempt had been given up and the key
   * is only watched.
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

  /** The store timed out: the caller gets a response, the ending is retried. */
  void overdue(Attempt attempt, State state, boolean silent) {
    attempt.owner().ifPresent(owner -> owner.respond(new CallerResponse.StoreUnavailable(true)));
    if (!silent) {
      return;
    }
    if (state == State.READING) {
      engine.lostLeaseHandler.readAgain(attempt);
    } else {
      sendAgain(attempt, state);
    }
  }

  /** Stops renewals; the key continues without the attempt, whose handler still runs. */
  void passRunLimit(Attempt attempt) {
    if (attempt.lease().passRunLimit()) {
      attempt.owner().ifPresent(owner -> owner.respond(new CallerResponse.RunLimitExceeded()));
      detach(attempt, node.environment.nowNanos());
    }
  }

  /** Gives up: the outcome stays unknown and the key continues without the attempt. */
  void abandon(Attempt attempt) {
    State state = attempt.state();
    if (state != State.ENDED && attempt.move(state, State.ENDED, node.environment.nowNanos())) {
      attempt.owner().ifPresent(owner -> owner.respond(new CallerResponse.StoreUnavailable(true)));
      detach(attempt, node.environment.nowNanos());
      node.end(attempt);
    }
  }

  /**
   * Separates the attempt from its key, which is watched from now on if it has waiters. An offered
   * claim that no waiter has taken is released.
   */
  void detach(Attempt attempt, long leaseEndsAtNanos) {
    boolean untaken = attempt.entry().withdrawOffer(attempt);
    if (attempt.entry().watching(attempt, leaseEndsAtNanos)) {
      engine.watcher.beginOrDrop(attempt.entry());
    }
    if (untaken) {
      giveBack(attempt);
    }
  }
}
