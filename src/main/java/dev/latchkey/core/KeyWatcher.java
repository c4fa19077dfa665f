package dev.latchkey.core;

import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.Notification;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.ScopedKey;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Waits for a key that somebody else runs. KeyWatcher always means: interest is registered with the
 * store, the key was read after that, and one timer stands at the end of the owner's lease. A
 * notice of the store or that timer lead to another look, nothing else does.
 */
final class KeyWatcher {

  /** How soon to look again when the store, or this node, could not do it now. */
  private static final long SOON_MILLIS = 500;

  /** A lease counts from when the store answered; what the answer took beyond this is left out. */
  private static final long PROMPT_MILLIS = 250;

  private final IdempotencyEngine engine;
  private final NodeState node;

  KeyWatcher(IdempotencyEngine engine, NodeState node) {
    this.engine = engine;
    this.node = node;
  }

  /** Registers interest and looks; drops the entry instead when nobody waits on it. */
  void beginOrDrop(KeyEntry entry) {
    if (node.isDraining()) {
      node.settle(
          entry, EntryResult.everybody(new CallerResponse.ShuttingDown(node.isHeld(entry))));
    } else if (entry.hasWaiters()) {
      look(entry, node.store.watch(entry.operation().key()), false);
    } else {
      node.dropIfUnwanted(entry);
    }
  }

  /** The store says that something happened, or that it may have missed to say so. */
  void onNotification(Notification notification) {
    if (notification instanceof Notification.Settled settled) {
      KeyEntry entry = node.table.get(settled.key());
      if (entry != null && entry.is(EntryActivity.WATCHING)) {
        look(entry, node.store.lookup(settled.key()), true);
      }
      return;
    }
    for (KeyEntry entry : node.table.values()) {
      if (entry.is(EntryActivity.WATCHING)) {
        beginOrDrop(entry);
      }
    }
  }

  void lookAgainSoon(KeyEntry entry) {
    rearm(entry, entry.nextRound(), SOON_MILLIS);
  }

  private void look(KeyEntry entry, Future<KeyState> reading, boolean interestMayBeSpent) {
    int round = entry.nextRound();
    long askedAtNanos = node.environment.nowNanos();
    // In case the store never answers; any answer puts another timer in its place.
    rearm(entry, round, node.options.getStoreTimeoutMillis());
    reading.onComplete(
        state -> {
          if (interestMayBeSpent && state instanceof KeyState.InProgress) {
            beginOrDrop(entry);
          } else {
            judge(entry, round, state, askedAtNanos);
          }
        },
        failure -> rearm(entry, round, SOON_MILLIS));
  }

  private void judge(KeyEntry entry, int round, KeyState state, long askedAtNanos) {
    if (!entry.isWatchingRound(round)) {
      return;
    }
    Operation operation = entry.operation();
    if (state instanceof KeyState.Known known && !entry.isFor(known.fingerprint())) {
      node.settle(entry, EntryResult.mismatch(reused(known)));
      return;
    }
    if (state instanceof KeyState.InProgress owner) {
      stillHeld(entry, round, owner, askedAtNanos);
    } else if (state instanceof KeyState.Completed completed) {
      node.cache.keep(operation, completed.response(), completed.expiry(), askedAtNanos);
      node.settle(entry, EntryResult.stored(operation, completed.response(), completed.expiry()));
    } else if (state instanceof KeyState.Released) {
      node.settle(entry, EntryResult.notStored(operation, new CallerResponse.AttemptFailed()));
    } else {
      engine.claimer().takeOver(entry);
    }
  }

  private void stillHeld(KeyEntry entry, int round, KeyState.InProgress owner, long askedAtNanos) {
    if (owner.leaseLeftMillis() > 0) {
      entry.leaseEnds(askedAtNanos + owner.leaseLeftMillis() * 1_000_000L);
      long onTheWayMillis = (node.environment.nowNanos() - askedAtNanos) / 1_000_000L;
      long lateMillis = Math.max(0, onTheWayMillis - PROMPT_MILLIS);
      rearm(entry, round, Math.max(1, owner.leaseLeftMillis() - lateMillis));
    } else if (entry.operation().policy().onLostOwner() == LostOwner.REPORT) {
      node.settle(entry, EntryResult.notStored(entry.operation(), new CallerResponse.Unresolved()));
    } else {
      engine.claimer().takeOver(entry);
    }
  }

  /**
   * Somebody came with another request than a stale entry's: the store says whose the key is. The
   * caller counts as parked meanwhile.
   */
  void askWhose(KeyEntry stale, ParkingLot parkingLot, Caller caller) {
    ScopedKey key = caller.operation().key();
    node.waiting.incrementAndGet();
    node.bounded(node.store.lookup(key))
        .onComplete(
            state -> parkingLot.loop().run(() -> told(stale, state, parkingLot, caller)),
            failure ->
                parkingLot
                    .loop()
                    .run(() -> respond(caller, new CallerResponse.StoreUnavailable(false))));
  }

  private void told(KeyEntry stale, KeyState state, ParkingLot parkingLot, Caller caller) {
    if (state instanceof KeyState.Known known
        && !caller.operation().fingerprint().equals(known.fingerprint())) {
      respond(caller, reused(known));
      return;
    }
    EntryResult gone =
        state instanceof KeyState.Known known
            ? EntryResult.mismatch(reused(known))
            : new EntryResult(new CallerResponse.AttemptFailed(), Optional.empty());
    node.settle(stale, gone);
    noLongerAsks(caller);
    engine.arrive(parkingLot, caller);
  }

  private void respond(Caller caller, CallerResponse response) {
    noLongerAsks(caller);
    caller.respond(response);
  }

  private void noLongerAsks(Caller caller) {
    node.limits.unparked(caller.operation().key().tenant());
    node.waiting.decrementAndGet();
    node.checkDrained();
  }

  private void rearm(KeyEntry entry, int round, long delayMillis) {
    Environment.Timer timer = node.environment.after(delayMillis, () -> beginIfStill(entry, round));
    if (!entry.arm(round, timer)) {
      timer.cancel();
    }
  }

  private void beginIfStill(KeyEntry entry, int round) {
    if (entry.isWatchingRound(round)) {
      beginOrDrop(entry);
    }
  }

  /** What a caller is told whose request is not the one that the key names. */
  static CallerResponse.KeyReused reused(KeyState.Known known) {
    if (known instanceof KeyState.Completed completed) {
      return new CallerResponse.KeyReused(
          Phase.COMPLETED, completed.fingerprint(), Optional.of(completed.expiry()));
    }
    Phase phase = known instanceof KeyState.Released ? Phase.RELEASED : Phase.IN_PROGRESS;
    return new CallerResponse.KeyReused(phase, known.fingerprint(), Optional.empty());
  }
}
