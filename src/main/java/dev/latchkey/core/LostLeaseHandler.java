package dev.latchkey.core;

import dev.latchkey.core.AttemptState.State;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.KeyState;
import io.vertx.core.Future;

/**
 * Resolves attempts that lost their claim by reading the key. A completed key gives its stored
 * response. If another attempt runs, the caller waits for it. A key that the store has lost is
 * claimed again under the same token, and the finished work is completed: nothing runs twice.
 */
final class LostLeaseHandler {

  private final IdempotencyEngine engine;
  private final NodeState node;

  LostLeaseHandler(IdempotencyEngine engine, NodeState node) {
    this.engine = engine;
    this.node = node;
  }

  /** Resolves an attempt whose ending failed; it is in {@link State#READING}. */
  void begin(Attempt attempt) {
    reportLoss(attempt);
    read(attempt);
  }

  private void reportLoss(Attempt attempt) {
    if (attempt.lease().reportLoss()) {
      node.listener.leaseLost();
    }
  }

  /**
   * Handles a claim lost during execution. If the store has lost the key, claims it again.
   * Otherwise the waiters wait for the new owner, and the attempt is resolved at its end.
   */
  void whileRunning(Attempt attempt) {
    if (attempt.state() != State.RUNNING || !attempt.lease().lose()) {
      return;
    }
    long askedAtNanos = node.environment.nowNanos();
    Future<ClaimResult> claiming =
        node.store.claim(attempt.request().withMode(ClaimRequest.Mode.TAKEOVER));
    claiming.onSuccess(result -> engine.claimer.giveBackIfOver(attempt));
    node.bounded(claiming)
        .onComplete(
            result -> {
              if (result instanceof ClaimResult.Claimed) {
                attempt.lease().regain(askedAtNanos);
                registerInterest(attempt);
              } else {
                reportLoss(attempt);
                engine.finisher.detach(attempt, askedAtNanos);
              }
            },
            failure -> attempt.lease().regain(askedAtNanos));
  }

  private void read(Attempt attempt) {
    long askedAtNanos = node.environment.nowNanos();
    attempt.sent(askedAtNanos);
    node.store
        .lookup(attempt.operation().key())
        .onComplete(state -> resolve(attempt, state, askedAtNanos), failure -> retry(attempt));
  }

  private void retry(Attempt attempt) {
    if (attempt.state() == State.READING) {
      node.environment.after(attempt.backOffMillis(), () -> readAgain(attempt));
    }
  }

  void readAgain(Attempt attempt) {
    if (attempt.state() != State.READING) {
      return;
    }
    if (attempt.isPastResolving(node.environment.nowNanos())) {
      engine.finisher.abandon(attempt);
    } else {
      read(attempt);
    }
  }

  private void resolve(Attempt attempt, KeyState state, long askedAtNanos) {
    if (attempt.state() != State.READING) {
      return;
    }
    Operation operation = attempt.operation();
    if (state instanceof KeyState.Known known
        && !operation.fingerprint().equals(known.fingerprint())) {
      discard(attempt, KeyWatcher.reused(known));
    } else if (state instanceof KeyState.Completed completed) {
      node.cache.keep(operation, completed.response(), completed.expiry(), askedAtNanos);
      conclude(attempt, EntryResult.stored(operation, completed.response(), completed.expiry()));
    } else if (state instanceof KeyState.InProgress owner) {
      if (owner.token().equals(attempt.claim().token())) {
        endAgain(attempt);
      } else {
        waitForOther(attempt, askedAtNanos + owner.leaseLeftMillis() * 1_000_000L);
      }
    } else if (state instanceof KeyState.Absent && attempt.result().keep()) {
      if (attempt.mayHaveExpiredCompleted(node.environment.nowNanos())) {
        // Its effects may have been written; a second write would duplicate them.
        conclude(attempt, EntryResult.everybody(new CallerResponse.StoreUnavailable(true)));
      } else {
        claimAgain(attempt);
      }
    } else if (state instanceof KeyState.Absent) {
      if (ended(attempt)) {
        engine.finisher.notStored(attempt);
      }
    } else {
      conclude(attempt, EntryResult.notStored(operation, new CallerResponse.AttemptFailed()));
    }
  }

  /** The store has lost the key: completes the finished work under the same claim. */
  private void claimAgain(Attempt attempt) {
    long askedAtNanos = node.environment.nowNanos();
    Future<ClaimResult> claiming =
        node.store.claim(attempt.request().withMode(ClaimRequest.Mode.ARRIVAL));
    claiming.onComplete(
        result -> {
          if (result instanceof ClaimResult.Claimed claimed) {
            if (attempt.claimedAgain(claimed, askedAtNanos, node.environment.nowNanos())) {
              registerInterest(attempt).onComplete(done -> engine.finisher.send(attempt));
            }
            engine.claimer.giveBackIfOver(attempt);
          } else {
            // Not immediately: a full store would reject the claim again.
            retry(attempt);
          }
        },
        failure -> {
          retry(attempt);
          engine.claimer.giveBackIfOver(attempt);
        });
  }

  /**
   * Makes the store report the end of a claim. The interest of waiters on other nodes was lost with
   * the record.
   */
  private Future<KeyState> registerInterest(Attempt attempt) {
    return node.store.watch(attempt.operation().key());
  }

  private void endAgain(Attempt attempt) {
    State ending = attempt.result().keep() ? State.COMPLETING : State.RELEASING;
    if (attempt.move(State.READING, ending, node.environment.nowNanos())) {
      engine.finisher.send(attempt);
    }
  }

  /**
   * Another attempt runs: the caller waits for it and keeps its finished work. If the work may have
   * been stored until the key expired, it must not be stored again, so the caller does not wait.
   */
  private void waitForOther(Attempt attempt, long leaseEndsAtNanos) {
    boolean mayBeStored = attempt.mayHaveExpiredCompleted(node.environment.nowNanos());
    if (!ended(attempt)) {
      return;
    }
    engine.finisher.detach(attempt, leaseEndsAtNanos);
    attempt.owner().ifPresent(owner -> waitInstead(attempt, owner, mayBeStored, leaseEndsAtNanos));
    node.end(attempt);
  }

  private void waitInstead(
      Attempt attempt, Request owner, boolean mayBeStored, long leaseEndsAtNanos) {
    if (mayBeStored) {
      owner.respond(new CallerResponse.StoreUnavailable(true));
    } else {
      engine.waitInstead(owner, owner.superseded(attempt.result()), leaseEndsAtNanos);
    }
  }

  /** Another request has the key: discards the result of this attempt. */
  private void discard(Attempt attempt, CallerResponse.KeyReused reused) {
    if (!attempt.mayHaveExpiredCompleted(node.environment.nowNanos())) {
      attempt.owner().ifPresent(Request::resultDiscarded);
    }
    conclude(attempt, EntryResult.mismatch(reused));
  }

  private void conclude(Attempt attempt, EntryResult result) {
    if (ended(attempt)) {
      engine.finisher.settle(attempt, result);
      attempt.owner().ifPresent(owner -> owner.respond(result.same()));
      node.end(attempt);
    }
  }

  private boolean ended(Attempt attempt) {
    return attempt.move(State.READING, State.ENDED, node.environment.nowNanos());
  }
}
