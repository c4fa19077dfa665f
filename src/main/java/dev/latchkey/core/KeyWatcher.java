package dev.latchkey.core;

import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.Notification;
import dev.latchkey.core.spi.Phase;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Watches keys with another owner. For a watched key, interest is registered with the store, the
 * key was read after that, and one timer is armed at the end of the owner's lease. Only a
 * notification or that timer causes another read.
 */
final class KeyWatcher {

  /** Delay before another read after a failure of the store or a limit of this node. */
  private static final long SOON_MILLIS = 500;

  /** A lease counts from the store's reply. A reply that took longer than this is late. */
  private static final long PROMPT_MILLIS = 250;

  private final IdempotencyEngine engine;
  private final NodeState node;

  KeyWatcher(IdempotencyEngine engine, NodeState node) {
    this.engine = engine;
    this.node = node;
  }

  /** Registers interest and reads the key; drops an entry without waiters. */
  void beginOrDrop(KeyEntry entry) {
    if (node.isDraining()) {
      node.settle(
          entry, EntryResult.everybody(new CallerResponse.ShuttingDown(node.isHeld(entry))));
    } else if (!node.dropIfUnwanted(entry) && entry.is(EntryActivity.WATCHING)) {
      read(entry, node.store.watch(entry.operation().key()), false);
    }
  }

  void onNotification(Notification notification) {
    if (notification instanceof Notification.Settled settled) {
      KeyEntry entry = node.table.get(settled.key());
      if (entry != null && entry.is(EntryActivity.WATCHING)) {
        read(entry, node.store.lookup(settled.key()), true);
      }
      return;
    }
    for (KeyEntry entry : node.table.values()) {
      if (entry.is(EntryActivity.WATCHING)) {
        beginOrDrop(entry);
      }
    }
  }

  void readSoon(KeyEntry entry) {
    rearm(entry, entry.nextRound(), SOON_MILLIS);
  }

  private void read(KeyEntry entry, Future<KeyState> reading, boolean interestMayBeSpent) {
    int round = entry.nextRound();
    long askedAtNanos = node.environment.nowNanos();
    // In case the store never replies. Any reply replaces the timer.
    rearm(entry, round, node.options.getStoreTimeoutMillis());
    reading.onComplete(
        state -> {
          if (interestMayBeSpent && state instanceof KeyState.InProgress) {
            beginOrDrop(entry);
          } else {
            decide(entry, round, state, askedAtNanos);
          }
        },
        failure -> rearm(entry, round, SOON_MILLIS));
  }

  private void decide(KeyEntry entry, int round, KeyState state, long askedAtNanos) {
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
      engine.claimer.takeOver(entry);
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
      engine.claimer.takeOver(entry);
    }
  }

  /**
   * Reads the key of a stale entry for a caller with another fingerprint. The caller counts as
   * parked meanwhile.
   */
  void readForOther(KeyEntry stale, Request request) {
    node.waiting.incrementAndGet();
    EventLoop loop = request.parkingLot.loop();
    node.bounded(node.store.lookup(request.operation().key()))
        .onComplete(
            state -> loop.run(() -> handleOther(stale, state, request)),
            failure ->
                loop.run(
                    () -> {
                      unparked(request);
                      request.respondHere(new CallerResponse.StoreUnavailable(false));
                    }));
  }

  private void handleOther(KeyEntry stale, KeyState state, Request request) {
    unparked(request);
    if (state instanceof KeyState.Known known
        && !request.operation().fingerprint().equals(known.fingerprint())) {
      request.respondHere(reused(known));
      return;
    }
    EntryResult gone =
        state instanceof KeyState.Known known
            ? EntryResult.mismatch(reused(known))
            : new EntryResult(new CallerResponse.AttemptFailed(), Optional.empty());
    node.settle(stale, gone);
    engine.arrive(request);
  }

  private void unparked(Request request) {
    node.limits.unparked(request.operation().key().tenant());
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

  /** The response for a caller whose request differs from the first use of the key. */
  static CallerResponse.KeyReused reused(KeyState.Known known) {
    if (known instanceof KeyState.Completed completed) {
      return new CallerResponse.KeyReused(
          Phase.COMPLETED, completed.fingerprint(), Optional.of(completed.expiry()));
    }
    Phase phase = known instanceof KeyState.Released ? Phase.RELEASED : Phase.IN_PROGRESS;
    return new CallerResponse.KeyReused(phase, known.fingerprint(), Optional.empty());
  }
}
