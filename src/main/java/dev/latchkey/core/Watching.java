package dev.latchkey.core;

import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.Notice;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.ScopedKey;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Waits for a key that somebody else runs. Watching always means: interest is registered with the
 * store, the key was read after that, and one timer stands at the end of the owner's lease. A
 * notice of the store or that timer lead to another look, nothing else does.
 */
final class Watching {

  /** How soon to look again when the store, or this node, could not do it now. */
  private static final long SOON_MILLIS = 500;

  /** A lease counts from when the store answered; what the answer took beyond this is left out. */
  private static final long PROMPT_MILLIS = 250;

  private final ControlFlow flow;
  private final Node node;

  Watching(ControlFlow flow, Node node) {
    this.flow = flow;
    this.node = node;
  }

  /** Registers interest and looks; drops the entry instead when nobody waits on it. */
  void beginOrDrop(Entry entry) {
    if (node.isDraining()) {
      node.settle(entry, Settlement.everybody(new Verdict.ShuttingDown(node.isHeld(entry))));
    } else if (entry.hasWaiters()) {
      look(entry, node.store.watch(entry.operation().key()), false);
    } else {
      node.dropIfUnwanted(entry);
    }
  }

  /** The store says that something happened, or that it may have missed to say so. */
  void noticed(Notice notice) {
    if (notice instanceof Notice.Settled settled) {
      Entry entry = node.table.get(settled.key());
      if (entry != null && entry.is(Entry.Phase.WATCHING)) {
        look(entry, node.store.lookup(settled.key()), true);
      }
      return;
    }
    for (Entry entry : node.table.values()) {
      if (entry.is(Entry.Phase.WATCHING)) {
        beginOrDrop(entry);
      }
    }
  }

  void lookAgainSoon(Entry entry) {
    rearm(entry, entry.nextRound(), SOON_MILLIS);
  }

  private void look(Entry entry, Future<KeyState> reading, boolean interestMayBeSpent) {
    int round = entry.nextRound();
    long askedAtNanos = node.surroundings.nowNanos();
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

  private void judge(Entry entry, int round, KeyState state, long askedAtNanos) {
    if (!entry.isWatchingRound(round)) {
      return;
    }
    Operation operation = entry.operation();
    if (state instanceof KeyState.Known known && !entry.isFor(known.fingerprint())) {
      node.settle(entry, Settlement.mismatch(reused(known)));
      return;
    }
    if (state instanceof KeyState.InProgress owner) {
      stillHeld(entry, round, owner, askedAtNanos);
    } else if (state instanceof KeyState.Completed completed) {
      node.cache.keep(operation, completed.response(), completed.expiry(), askedAtNanos);
      node.settle(entry, Settlement.stored(operation, completed.response(), completed.expiry()));
    } else if (state instanceof KeyState.Released) {
      node.settle(entry, Settlement.notStored(operation, new Verdict.AttemptFailed()));
    } else {
      flow.claiming().takeOver(entry);
    }
  }

  private void stillHeld(Entry entry, int round, KeyState.InProgress owner, long askedAtNanos) {
    if (owner.leaseLeftMillis() > 0) {
      entry.leaseEnds(askedAtNanos + owner.leaseLeftMillis() * 1_000_000L);
      long onTheWayMillis = (node.surroundings.nowNanos() - askedAtNanos) / 1_000_000L;
      long lateMillis = Math.max(0, onTheWayMillis - PROMPT_MILLIS);
      rearm(entry, round, Math.max(1, owner.leaseLeftMillis() - lateMillis));
    } else if (entry.operation().terms().onLostOwner() == LostOwner.REPORT) {
      node.settle(entry, Settlement.notStored(entry.operation(), new Verdict.LeftToAPerson()));
    } else {
      flow.claiming().takeOver(entry);
    }
  }

  /**
   * Somebody came with another request than a stale entry's: the store says whose the key is. The
   * caller counts as parked meanwhile.
   */
  void askWhose(Entry stale, Lot lot, Caller caller) {
    ScopedKey key = caller.operation().key();
    node.waiting.incrementAndGet();
    node.bounded(node.store.lookup(key))
        .onComplete(
            state -> lot.loop().run(() -> told(stale, state, lot, caller)),
            failure -> lot.loop().run(() -> answer(caller, new Verdict.StoreUnavailable(false))));
  }

  private void told(Entry stale, KeyState state, Lot lot, Caller caller) {
    if (state instanceof KeyState.Known known
        && !caller.operation().fingerprint().equals(known.fingerprint())) {
      answer(caller, reused(known));
      return;
    }
    Settlement gone =
        state instanceof KeyState.Known known
            ? Settlement.mismatch(reused(known))
            : new Settlement(new Verdict.AttemptFailed(), Optional.empty());
    node.settle(stale, gone);
    noLongerAsks(caller);
    flow.arrive(lot, caller);
  }

  private void answer(Caller caller, Verdict verdict) {
    noLongerAsks(caller);
    caller.answer(verdict);
  }

  private void noLongerAsks(Caller caller) {
    node.limits.unparked(caller.operation().key().tenant());
    node.waiting.decrementAndGet();
    node.checkDrained();
  }

  private void rearm(Entry entry, int round, long delayMillis) {
    Surroundings.Timer timer =
        node.surroundings.after(delayMillis, () -> beginIfStill(entry, round));
    if (!entry.arm(round, timer)) {
      timer.cancel();
    }
  }

  private void beginIfStill(Entry entry, int round) {
    if (entry.isWatchingRound(round)) {
      beginOrDrop(entry);
    }
  }

  /** What a caller is told whose request is not the one that the key names. */
  static Verdict.Reused reused(KeyState.Known known) {
    if (known instanceof KeyState.Completed completed) {
      return new Verdict.Reused(
          Phase.COMPLETED, completed.fingerprint(), Optional.of(completed.expiry()));
    }
    Phase phase = known instanceof KeyState.Released ? Phase.RELEASED : Phase.IN_PROGRESS;
    return new Verdict.Reused(phase, known.fingerprint(), Optional.empty());
  }
}
