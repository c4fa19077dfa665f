package dev.latchkey.core;

import dev.latchkey.core.Attempt.State;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.KeyState;
import io.vertx.core.Future;

/**
 * An attempt was told that its claim is not its own. It answers nothing of its own but what became
 * of the key: the stored answer if there is one; a wait like anybody's if another attempt runs. A
 * key that the store has lost altogether is claimed again under the same token, and what the
 * attempt has already done is used: nothing runs a second time.
 */
final class Losing {

  private final ControlFlow flow;
  private final Node node;

  Losing(ControlFlow flow, Node node) {
    this.flow = flow;
    this.node = node;
  }

  /** The attempt could not be ended; it stands in {@link State#READING}. */
  void begin(Attempt attempt) {
    tellLoss(attempt);
    read(attempt);
  }

  private void tellLoss(Attempt attempt) {
    if (attempt.tellLoss()) {
      node.listener.lostLease();
    }
  }

  /**
   * A renewal found the claim gone while the handler still runs. If the store has forgotten the key
   * it is claimed again; else whoever waits here waits for the new owner, and the attempt learns at
   * its end what counts.
   */
  void whileRunning(Attempt attempt) {
    if (attempt.state() != State.RUNNING || !attempt.loseLease()) {
      return;
    }
    long askedAtNanos = node.surroundings.nowNanos();
    Future<ClaimResult> claiming =
        node.store.claim(attempt.request().withMode(ClaimRequest.Mode.TAKEOVER));
    claiming.onSuccess(result -> flow.claiming().giveBackIfOver(attempt));
    node.bounded(claiming)
        .onComplete(
            result -> {
              if (result instanceof ClaimResult.Claimed) {
                attempt.regainLease(askedAtNanos);
              } else {
                tellLoss(attempt);
                flow.finishing().detach(attempt, askedAtNanos);
              }
            },
            failure -> attempt.regainLease(askedAtNanos));
  }

  private void read(Attempt attempt) {
    long askedAtNanos = node.surroundings.nowNanos();
    attempt.sent(askedAtNanos);
    node.store
        .lookup(attempt.operation().key())
        .onComplete(state -> judge(attempt, state, askedAtNanos), failure -> again(attempt));
  }

  private void again(Attempt attempt) {
    if (attempt.state() == State.READING) {
      node.surroundings.after(attempt.backOffMillis(), () -> readAgain(attempt));
    }
  }

  void readAgain(Attempt attempt) {
    if (attempt.state() != State.READING) {
      return;
    }
    if (attempt.isPastResolving(node.surroundings.nowNanos())) {
      flow.finishing().abandon(attempt);
    } else {
      read(attempt);
    }
  }

  private void judge(Attempt attempt, KeyState state, long askedAtNanos) {
    if (attempt.state() != State.READING) {
      return;
    }
    Operation operation = attempt.operation();
    if (state instanceof KeyState.Known known
        && !operation.fingerprint().equals(known.fingerprint())) {
      displace(attempt, Watching.reused(known));
    } else if (state instanceof KeyState.Completed completed) {
      node.cache.keep(operation, completed.response(), completed.expiry(), askedAtNanos);
      conclude(attempt, Settlement.stored(operation, completed.response(), completed.expiry()));
    } else if (state instanceof KeyState.InProgress owner) {
      if (owner.token().equals(attempt.claim().token())) {
        endAgain(attempt);
      } else {
        waitForOther(attempt, askedAtNanos + owner.leaseLeftMillis() * 1_000_000L);
      }
    } else if (state instanceof KeyState.Absent && attempt.ending().keep()) {
      if (attempt.mayHaveExpiredCompleted(node.surroundings.nowNanos())) {
        // Its effects may have been written; written again they would count twice.
        conclude(attempt, Settlement.everybody(new Verdict.StoreUnavailable(true)));
      } else {
        claimAgain(attempt);
      }
    } else if (state instanceof KeyState.Absent) {
      if (ended(attempt)) {
        flow.finishing().notStored(attempt);
      }
    } else {
      conclude(attempt, Settlement.notStored(operation, new Verdict.AttemptFailed()));
    }
  }

  /** The store has forgotten the key: what was done is completed under the same claim. */
  private void claimAgain(Attempt attempt) {
    long askedAtNanos = node.surroundings.nowNanos();
    Future<ClaimResult> claiming =
        node.store.claim(attempt.request().withMode(ClaimRequest.Mode.ARRIVAL));
    claiming.onComplete(
        result -> {
          if (result instanceof ClaimResult.Claimed claimed) {
            attempt.claimedAgain(claimed, askedAtNanos);
            endAgain(attempt);
            flow.claiming().giveBackIfOver(attempt);
          } else {
            // Not at once: a store without room would say so again and again.
            again(attempt);
          }
        },
        failure -> {
          again(attempt);
          flow.claiming().giveBackIfOver(attempt);
        });
  }

  private void endAgain(Attempt attempt) {
    State ending = attempt.ending().keep() ? State.COMPLETING : State.RELEASING;
    if (attempt.move(State.READING, ending, node.surroundings.nowNanos())) {
      flow.finishing().send(attempt);
    }
  }

  /** Another attempt runs: the caller waits for it, and its finished work with it. */
  private void waitForOther(Attempt attempt, long leaseEndsAtNanos) {
    if (!ended(attempt)) {
      return;
    }
    flow.finishing().detach(attempt, leaseEndsAtNanos);
    attempt
        .runner()
        .ifPresent(
            runner ->
                flow.waitInstead(
                    runner, new Loser(runner.caller(), attempt.ending()), leaseEndsAtNanos));
    node.end(attempt);
  }

  /** Another request has the key: what this attempt did is nobody's answer. */
  private void displace(Attempt attempt, Verdict.Reused reused) {
    if (!attempt.mayHaveExpiredCompleted(node.surroundings.nowNanos())) {
      attempt.runner().ifPresent(Runner::displaced);
    }
    conclude(attempt, Settlement.mismatch(reused));
  }

  private void conclude(Attempt attempt, Settlement settlement) {
    if (ended(attempt)) {
      flow.finishing().settle(attempt, settlement);
      attempt.runner().ifPresent(runner -> runner.answer(settlement.same()));
      node.end(attempt);
    }
  }

  private boolean ended(Attempt attempt) {
    return attempt.move(State.READING, State.ENDED, node.surroundings.nowNanos());
  }
}
