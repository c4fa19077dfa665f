package dev.latchkey.core;

import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.Token;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What the parts of the control engine of one node share. Safe for use by any thread. */
final class NodeState {

  final IdempotencyStore store;
  final Environment environment;
  final NodeOptions options;
  final IdempotencyListener listener;
  final Limits limits;
  final ReplayCache cache;

  /** What this node runs or waits for. Bounded by the limits on running and parked requests. */
  final ConcurrentHashMap<ScopedKey, KeyEntry> table = new ConcurrentHashMap<>();

  /** Every attempt that has not ended, by its token, also one whose key has moved on. */
  final ConcurrentHashMap<Token, Attempt> attempts = new ConcurrentHashMap<>();

  /** Waiters that sit in a parkingLot and were not answered yet. */
  final AtomicInteger waiting = new AtomicInteger();

  private volatile @Nullable Promise<Void> drained;

  NodeState(
      IdempotencyStore store,
      Environment environment,
      NodeOptions options,
      IdempotencyListener listener) {
    this.store = store;
    this.environment = environment;
    this.options = options;
    this.listener = listener;
    this.limits = new Limits(options);
    this.cache = new ReplayCache(options.getReplayCacheBytes(), environment::nowNanos);
  }

  long storeTimeoutNanos() {
    return options.getStoreTimeoutMillis() * 1_000_000L;
  }

  /**
   * The store's answer, or a failure as soon as it has stayed away for longer than the store
   * timeout: whether the call took effect is unknown then, and a late answer counts for nothing.
   */
  <T> Future<T> bounded(Future<T> answer) {
    if (answer.isComplete()) {
      return answer;
    }
    long mostMillis = options.getStoreTimeoutMillis();
    Promise<T> promise = Promise.promise();
    Environment.Timer timer =
        environment.after(
            mostMillis,
            () ->
                promise.tryFail(
                    new StoreException(
                        StoreException.Outcome.UNKNOWN,
                        "the store has not answered for " + mostMillis + " ms; safe to retry")));
    answer.onComplete(
        result -> {
          timer.cancel();
          promise.tryComplete(result);
        },
        failure -> {
          timer.cancel();
          promise.tryFail(failure);
        });
    return promise.future();
  }

  /** Ends an entry and tells those who wait on it; nobody can join it after that. */
  void settle(KeyEntry entry, EntryResult result) {
    if (entry.end()) {
      ended(entry, result);
    }
  }

  /** Sends those away who wait for what is not run here. */
  void settleIfElsewhere(KeyEntry entry, EntryResult result) {
    if (entry.endIfElsewhere()) {
      ended(entry, result);
    }
  }

  private void ended(KeyEntry entry, EntryResult result) {
    table.remove(entry.operation().key(), entry);
    if (entry.hasWaiters()) {
      environment.publish(new EntryEvent.Settled(entry, result, environment.nowNanos()));
    }
    entry.attempt().filter(entry::withdrawOffer).ifPresent(Attempt::giveBack);
  }

  /** Whether somebody, this node or another, is known to hold the claim on an entry's key. */
  boolean isHeld(KeyEntry entry) {
    return entry.isHeld(environment.nowNanos());
  }

  /** Drops a watched entry that nobody waits on. */
  void dropIfUnwanted(KeyEntry entry) {
    if (entry.endIfUnwanted()) {
      table.remove(entry.operation().key(), entry);
    }
  }

  /** An attempt has nothing left to do. */
  void end(Attempt attempt) {
    if (attempts.remove(attempt.claim().token(), attempt)) {
      ran();
    }
  }

  /** A permit to run is not needed any more. */
  void ran() {
    limits.ran();
    checkDrained();
  }

  boolean isDraining() {
    return drained != null;
  }

  /** From now on {@code done} is completed as soon as nothing runs and nobody waits. */
  void drain(Promise<Void> done) {
    drained = done;
    checkDrained();
  }

  void checkDrained() {
    Promise<Void> done = drained;
    if (done != null && limits.running() == 0 && waiting.get() == 0) {
      done.tryComplete();
    }
  }
}
