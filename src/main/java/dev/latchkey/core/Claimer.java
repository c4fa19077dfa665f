package dev.latchkey.core;

import dev.latchkey.core.AttemptState.State;
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
final class Claimer {

  private final IdempotencyEngine engine;
  private final NodeState node;
  private final OrphanedClaimReleaser returning;

  Claimer(IdempotencyEngine engine, NodeState node) {
    this.engine = engine;
    this.node = node;
    this.returning = new OrphanedClaimReleaser(node);
  }

  /** Claims for a request of its own; the permit to run is held. */
  void arrive(KeyEntry entry, Owner owner) {
    Attempt attempt =
        begin(entry, entry.operation().arrival(node.environment.newToken()), Optional.of(owner));
    entry.attempt(attempt);
    send(attempt);
  }

  /** Claims for those who wait on a key whose owner is gone. */
  void takeOver(KeyEntry entry) {
    if (!node.limits.tryRun()) {
      engine.watcher().lookAgainSoon(entry);
      return;
    }
    Attempt attempt =
        begin(entry, entry.operation().takeover(node.environment.newToken()), Optional.empty());
    if (entry.claiming(attempt)) {
      send(attempt);
    } else {
      node.end(attempt);
    }
  }

  private Attempt begin(KeyEntry entry, ClaimRequest request, Optional<Owner> owner) {
    Attempt attempt = new Attempt(engine.finisher(), entry, request, node.environment.nowNanos());
    owner.ifPresent(attempt::owner);
    node.attempts.put(attempt.claim().token(), attempt);
    engine.monitor().wake();
    return attempt;
  }

  void send(Attempt attempt) {
    long askedAtNanos = node.environment.nowNanos();
    attempt.sent(askedAtNanos);
    node.store
        .claim(attempt.request())
        .onComplete(
            result -> answered(attempt, result, askedAtNanos), failure -> failed(attempt, failure));
  }

  private void answered(Attempt attempt, ClaimResult result, long askedAtNanos) {
    if (result instanceof Claimed claimed) {
      if (attempt.move(State.CLAIMING, State.RUNNING, node.environment.nowNanos())) {
        granted(attempt, claimed, askedAtNanos);
      } else if (attempt.hasNoUseForItsClaim()) {
        // A copy got through late, perhaps after the claim was given back already.
        returning.giveBack(attempt);
      }
    } else if (attempt.move(State.CLAIMING, State.ENDED, node.environment.nowNanos())) {
      denied(attempt, result, askedAtNanos);
      if (attempt.isMaybeOrphaned()) {
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
    KeyEntry entry = attempt.entry();
    long leaseEndsAtNanos = attempt.granted(claimed, node.environment.nowNanos(), askedAtNanos);
    boolean wasDecided = entry.isDecided();
    GrantResult granted = entry.granted(attempt, leaseEndsAtNanos);
    if (claimed.takenOver()) {
      node.listener.takenOver();
    }
    if (!wasDecided && entry.hasWaiters()) {
      node.environment.publish(new EntryEvent.Decided(entry));
    }
    switch (granted) {
      case TO_OWNER ->
          attempt.owner().ifPresent(owner -> owner.run(attempt, owner.caller().body()));
      case OFFERED -> node.environment.publish(new EntryEvent.Offered(entry));
      case UNWANTED -> engine.finisher().giveBack(attempt);
    }
  }

  private void denied(Attempt attempt, ClaimResult result, long askedAtNanos) {
    Operation operation = attempt.operation();
    if (result instanceof ClaimResult.InFlight inFlight) {
      inFlight(attempt, askedAtNanos + inFlight.leaseLeftMillis() * 1_000_000L);
    } else if (result instanceof ClaimResult.Completed completed) {
      node.cache.keep(operation, completed.response(), completed.expiry(), askedAtNanos);
      conclude(attempt, EntryResult.stored(operation, completed.response(), completed.expiry()));
    } else if (result instanceof ClaimResult.Mismatch other) {
      CallerResponse.KeyReused reused =
          new CallerResponse.KeyReused(other.phase(), other.firstUse(), other.expiry());
      conclude(attempt, EntryResult.mismatch(reused));
    } else if (result instanceof ClaimResult.Lapsed) {
      conclude(attempt, EntryResult.notStored(operation, new CallerResponse.Unresolved()));
    } else if (result instanceof ClaimResult.Full) {
      conclude(attempt, EntryResult.everybody(new CallerResponse.Overloaded()));
    } else {
      // Released, for those who waited; or this very claim was withdrawn.
      conclude(attempt, EntryResult.notStored(operation, new CallerResponse.AttemptFailed()));
    }
  }

  private void conclude(Attempt attempt, EntryResult result) {
    node.settle(attempt.entry(), result);
    attempt.owner().ifPresent(owner -> owner.respond(result.same()));
  }

  /** Somebody else holds the claim: from now on this node watches, its caller waits. */
  private void inFlight(Attempt attempt, long leaseEndsAtNanos) {
    KeyEntry entry = attempt.entry();
    boolean wasDecided = entry.isDecided();
    if (entry.watching(attempt, leaseEndsAtNanos) && !wasDecided && entry.hasWaiters()) {
      node.environment.publish(new EntryEvent.Decided(entry));
    }
    attempt
        .owner()
        .ifPresentOrElse(
            owner -> engine.waitInstead(owner, owner.caller(), leaseEndsAtNanos),
            () -> engine.watcher().beginOrDrop(entry));
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
      attempt.markMaybeOrphaned();
    }
    long nowNanos = node.environment.nowNanos();
    if (!attempt.isMaybeOrphaned() || attempt.isPastResolving(nowNanos)) {
      giveUp(attempt, nowNanos);
      return;
    }
    node.environment.after(attempt.backOffMillis(), () -> sendAgain(attempt));
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
    if (attempt.isMaybeOrphaned()) {
      // Should the store hold the claim after all: nobody will use it.
      returning.giveBack(attempt);
    }
    if (attempt.request().mode() == ClaimRequest.Mode.TAKEOVER) {
      if (attempt.entry().watching(attempt, nowNanos)) {
        engine.watcher().lookAgainSoon(attempt.entry());
      }
    } else {
      conclude(attempt, EntryResult.everybody(new CallerResponse.StoreUnavailable(false)));
    }
    node.end(attempt);
  }

  /** The store has not answered in time: whoever waits for it is told so, the claim is pursued. */
  void overdue(Attempt attempt, long nowNanos, boolean silent) {
    attempt.markMaybeOrphaned();
    if (attempt.isPastResolving(nowNanos)) {
      giveUp(attempt, nowNanos);
      return;
    }
    attempt.storeNeededSince(nowNanos);
    if (attempt.request().mode() != ClaimRequest.Mode.TAKEOVER) {
      CallerResponse response = new CallerResponse.StoreUnavailable(false);
      attempt.dismissOwner().ifPresent(owner -> owner.respond(response));
      if (attempt.entry().hasWaiters()) {
        node.environment.publish(new EntryEvent.Expelled(attempt.entry(), response));
      }
    }
    if (silent) {
      sendAgain(attempt);
    }
  }
}
