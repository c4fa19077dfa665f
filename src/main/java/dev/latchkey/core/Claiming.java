package dev.latchkey.core;

import dev.latchkey.core.Attempt.State;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.ClaimResult.Claimed;
import dev.latchkey.core.spi.StoreException;
import java.util.Optional;

/**
 * Asks the store for a claim until it answers, and acts on the answer. A claim whose answer stays
 * away is sent again under its token even when nobody waits for it any more: the store may hold it,
 * and then it has to be given back.
 */
final class Claiming {

  private final ControlFlow flow;
  private final Node node;
  private final Returning returning;

  Claiming(ControlFlow flow, Node node) {
    this.flow = flow;
    this.node = node;
    this.returning = new Returning(node);
  }

  /** Claims for a request of its own; the permit to run is held. */
  void arrive(Entry entry, Runner runner) {
    Attempt attempt =
        begin(entry, entry.operation().arrival(node.surroundings.newToken()), Optional.of(runner));
    entry.attempt(attempt);
    send(attempt);
  }

  /** Claims for those who wait on a key whose owner is gone. */
  void takeOver(Entry entry) {
    if (!node.limits.tryRun()) {
      flow.watching().lookAgainSoon(entry);
      return;
    }
    Attempt attempt =
        begin(entry, entry.operation().takeover(node.surroundings.newToken()), Optional.empty());
    if (entry.claiming(attempt)) {
      send(attempt);
    } else {
      node.end(attempt);
    }
  }

  private Attempt begin(Entry entry, ClaimRequest request, Optional<Runner> runner) {
    Attempt attempt = new Attempt(flow.finishing(), entry, request, node.surroundings.nowNanos());
    runner.ifPresent(attempt::runner);
    node.attempts.put(attempt.claim().token(), attempt);
    flow.sweep().wake();
    return attempt;
  }

  void send(Attempt attempt) {
    long askedAtNanos = node.surroundings.nowNanos();
    attempt.sent(askedAtNanos);
    node.store
        .claim(attempt.request())
        .onComplete(
            result -> answered(attempt, result, askedAtNanos), failure -> failed(attempt, failure));
  }

  private void answered(Attempt attempt, ClaimResult result, long askedAtNanos) {
    if (result instanceof Claimed claimed) {
      if (attempt.move(State.CLAIMING, State.RUNNING, node.surroundings.nowNanos())) {
        granted(attempt, claimed, askedAtNanos);
      } else if (attempt.hasNoUseForItsClaim()) {
        // A copy got through late, perhaps after the claim was given back already.
        returning.giveBack(attempt);
      }
    } else if (attempt.move(State.CLAIMING, State.ENDED, node.surroundings.nowNanos())) {
      denied(attempt, result, askedAtNanos);
      if (attempt.isGhost()) {
        // Another copy may have been granted since, and stay unheard.
        returning.giveBack(attempt);
      }
      node.end(attempt);
    }
  }

  /** The claim was asked for once more, for an attempt that may be over by now. */
  void giveBackIfOver(Attempt attempt) {
    if (attempt.hasNoUseForItsClaim()) {
      returning.giveBack(attempt);
    }
  }

  private void granted(Attempt attempt, Claimed claimed, long askedAtNanos) {
    Entry entry = attempt.entry();
    long leaseEndsAtNanos = attempt.granted(claimed, node.surroundings.nowNanos(), askedAtNanos);
    boolean wasDecided = entry.isDecided();
    Entry.Granted granted = entry.granted(attempt, leaseEndsAtNanos);
    if (claimed.takenOver()) {
      node.listener.tookOver();
    }
    if (!wasDecided && entry.hasWaiters()) {
      node.surroundings.announce(new News.Decided(entry));
    }
    switch (granted) {
      case TO_RUNNER ->
          attempt.runner().ifPresent(runner -> runner.run(attempt, runner.caller().body()));
      case OFFERED -> node.surroundings.announce(new News.Offered(entry));
      case UNWANTED -> flow.finishing().giveBack(attempt);
    }
  }

  private void denied(Attempt attempt, ClaimResult result, long askedAtNanos) {
    Operation operation = attempt.operation();
    if (result instanceof ClaimResult.InFlight inFlight) {
      inFlight(attempt, askedAtNanos + inFlight.leaseLeftMillis() * 1_000_000L);
    } else if (result instanceof ClaimResult.Completed completed) {
      node.cache.keep(operation, completed.response(), completed.expiry(), askedAtNanos);
      conclude(attempt, Settlement.stored(operation, completed.response(), completed.expiry()));
    } else if (result instanceof ClaimResult.Mismatch other) {
      Verdict.Reused reused = new Verdict.Reused(other.phase(), other.firstUse(), other.expiry());
      conclude(attempt, Settlement.mismatch(reused));
    } else if (result instanceof ClaimResult.Lapsed) {
      conclude(attempt, Settlement.notStored(operation, new Verdict.LeftToAPerson()));
    } else if (result instanceof ClaimResult.Full) {
      conclude(attempt, Settlement.everybody(new Verdict.Overloaded()));
    } else {
      // Released, for those who waited; or this very claim was withdrawn.
      conclude(attempt, Settlement.notStored(operation, new Verdict.AttemptFailed()));
    }
  }

  private void conclude(Attempt attempt, Settlement settlement) {
    node.settle(attempt.entry(), settlement);
    attempt.runner().ifPresent(runner -> runner.answer(settlement.same()));
  }

  /** Somebody else holds the claim: from now on this node watches, its caller waits. */
  private void inFlight(Attempt attempt, long leaseEndsAtNanos) {
    Entry entry = attempt.entry();
    boolean wasDecided = entry.isDecided();
    if (entry.watching(attempt, leaseEndsAtNanos) && !wasDecided && entry.hasWaiters()) {
      node.surroundings.announce(new News.Decided(entry));
    }
    attempt
        .runner()
        .ifPresentOrElse(
            runner -> flow.waitInstead(runner, runner.caller(), leaseEndsAtNanos),
            () -> flow.watching().beginOrDrop(entry));
  }

  private void failed(Attempt attempt, Throwable failure) {
    boolean certainlyNot =
        failure instanceof StoreException store
            && store.outcome() == StoreException.Outcome.NOT_DONE;
    if (attempt.state() != State.CLAIMING) {
      if (!certainlyNot && attempt.state() == State.ENDED && !attempt.wasGranted()) {
        // Another copy was refused, but this one may hold the key now.
        returning.giveBack(attempt);
      }
      return;
    }
    if (!certainlyNot) {
      attempt.mayHaveClaimed();
    }
    long nowNanos = node.surroundings.nowNanos();
    if (!attempt.isGhost() || attempt.isPastResolving(nowNanos)) {
      giveUp(attempt, nowNanos);
      return;
    }
    node.surroundings.after(attempt.backOffMillis(), () -> sendAgain(attempt));
  }

  private void sendAgain(Attempt attempt) {
    if (attempt.state() == State.CLAIMING) {
      send(attempt);
    }
  }

  /** The store certainly holds no claim of this attempt, or has not answered for ages. */
  private void giveUp(Attempt attempt, long nowNanos) {
    if (!attempt.move(State.CLAIMING, State.ENDED, nowNanos)) {
      return;
    }
    if (attempt.isGhost()) {
      // Should the store hold the claim after all: nobody will use it.
      returning.giveBack(attempt);
    }
    if (attempt.request().mode() == ClaimRequest.Mode.TAKEOVER) {
      if (attempt.entry().watching(attempt, nowNanos)) {
        flow.watching().lookAgainSoon(attempt.entry());
      }
    } else {
      conclude(attempt, Settlement.everybody(new Verdict.StoreUnavailable(false)));
    }
    node.end(attempt);
  }

  /** The store has not answered in time: whoever waits for it is told so, the claim is pursued. */
  void overdue(Attempt attempt, long nowNanos, boolean silent) {
    attempt.mayHaveClaimed();
    if (attempt.isPastResolving(nowNanos)) {
      giveUp(attempt, nowNanos);
      return;
    }
    attempt.storeNeededSince(nowNanos);
    if (attempt.request().mode() != ClaimRequest.Mode.TAKEOVER) {
      Verdict verdict = new Verdict.StoreUnavailable(false);
      attempt.dismissRunner().ifPresent(runner -> runner.answer(verdict));
      if (attempt.entry().hasWaiters()) {
        node.surroundings.announce(new News.Expelled(attempt.entry(), verdict));
      }
    }
    if (silent) {
      sendAgain(attempt);
    }
  }
}
