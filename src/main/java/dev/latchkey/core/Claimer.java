package dev.latchkey.core;

import dev.latchkey.core.AttemptState.State;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.ClaimResult.Claimed;
import dev.latchkey.core.spi.StoreException;
import java.util.Optional;

/**
 * Sends claims until the store replies, and acts on the result. A claim without a response is sent
 * again under its token even if no caller waits for it: the store may have granted it, and an
 * orphaned claim must be released.
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

  /** Claims for a new request, which holds a permit to run. */
  void arrive(KeyEntry entry, Request owner) {
    Attempt attempt =
        begin(entry, entry.operation().arrival(node.environment.newToken()), Optional.of(owner));
    entry.attempt(attempt);
    send(attempt);
  }

  /** Claims for the waiters of a key whose owner is lost. */
  void takeOver(KeyEntry entry) {
    if (!node.limits.tryRun(entry.operation().key().tenant())) {
      engine.watcher.readSoon(entry);
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

  private Attempt begin(KeyEntry entry, ClaimRequest request, Optional<Request> owner) {
    Attempt attempt = new Attempt(engine.finisher, entry, request, node.environment.nowNanos());
    owner.ifPresent(attempt::owner);
    node.attempts.put(attempt.claim().token(), attempt);
    engine.monitor.wake();
    return attempt;
  }

  void send(Attempt attempt) {
    long askedAtNanos = node.environment.nowNanos();
    attempt.sent(askedAtNanos);
    node.store
        .claim(attempt.request())
        .onComplete(
            result -> replied(attempt, result, askedAtNanos), failure -> failed(attempt, failure));
  }

  private void replied(Attempt attempt, ClaimResult result, long askedAtNanos) {
    if (result instanceof Claimed claimed) {
      if (attempt.move(State.CLAIMING, State.RUNNING, node.environment.nowNanos())) {
        granted(attempt, claimed, askedAtNanos);
      } else if (attempt.hasNoUseForItsClaim()) {
        // A late copy was granted, perhaps after the claim was released.
        returning.giveBack(attempt);
      }
    } else if (attempt.move(State.CLAIMING, State.ENDED, node.environment.nowNanos())) {
      denied(attempt, result, askedAtNanos);
      if (attempt.isMaybeOrphaned()) {
        // Another copy may have been granted since.
        returning.giveBack(attempt);
      }
      node.end(attempt);
    }
  }

  /** Releases a claim that was repeated for an attempt that may have ended by now. */
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
      case TO_OWNER -> attempt.owner().ifPresent(owner -> owner.run(attempt, owner.caller.body()));
      case OFFERED -> node.environment.publish(new EntryEvent.Offered(entry));
      case UNWANTED -> engine.finisher.giveBack(attempt);
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
      // Released before the takeover, or this claim was withdrawn.
      conclude(attempt, EntryResult.notStored(operation, new CallerResponse.AttemptFailed()));
    }
  }

  private void conclude(Attempt attempt, EntryResult result) {
    node.settle(attempt.entry(), result);
    attempt.owner().ifPresent(owner -> owner.respond(result.same()));
  }

  /** Another owner holds the claim: this node watches the key, its caller waits. */
  private void inFlight(Attempt attempt, long leaseEndsAtNanos) {
    KeyEntry entry = attempt.entry();
    boolean wasDecided = entry.isDecided();
    if (entry.watching(attempt, leaseEndsAtNanos) && !wasDecided && entry.hasWaiters()) {
      node.environment.publish(new EntryEvent.Decided(entry));
    }
    attempt
        .owner()
        .ifPresentOrElse(
            owner -> engine.waitInstead(owner, new Request(owner), leaseEndsAtNanos),
            () -> engine.watcher.beginOrDrop(entry));
  }

  private void failed(Attempt attempt, Throwable failure) {
    boolean certainlyNot =
        failure instanceof StoreException store
            && store.outcome() == StoreException.Outcome.NOT_DONE;
    if (attempt.state() != State.CLAIMING) {
      if (!certainlyNot && attempt.state() == State.ENDED && !attempt.wasGranted()) {
        // Another copy was refused, but this one may have been granted.
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

  /** The store holds no claim of this attempt, or has not replied for too long. */
  private void giveUp(Attempt attempt, long nowNanos) {
    if (!attempt.move(State.CLAIMING, State.ENDED, nowNanos)) {
      return;
    }
    if (attempt.isMaybeOrphaned()) {
      // The store may hold the claim after all; no caller will use it.
      returning.giveBack(attempt);
    }
    if (attempt.request().mode() == ClaimRequest.Mode.TAKEOVER) {
      if (attempt.entry().watching(attempt, nowNanos)) {
        engine.watcher.readSoon(attempt.entry());
      }
    } else {
      conclude(attempt, EntryResult.everybody(new CallerResponse.StoreUnavailable(false)));
    }
    node.end(attempt);
  }

  /** The store timed out: callers get a response, the claim is retried. */
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
