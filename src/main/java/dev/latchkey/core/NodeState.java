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

/** State shared by the parts of an engine. Safe for use by any thread. */
final class NodeState {

  final IdempotencyStore store;
  final Environment environment;
  final NodeOptions options;
  final IdempotencyListener listener;
  final Limits limits;
  final ReplayCache cache;

  /** Keys that this node executes or watches. Bounded by the limits on attempts and waiters. */
  final ConcurrentHashMap<ScopedKey, KeyEntry> table = new ConcurrentHashMap<>();

  /** All unfinished attempts by token, even if their key continues without them. */
  final ConcurrentHashMap<Token, Attempt> attempts = new ConcurrentHashMap<>();

  /** Number of parked callers without a response. */
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
    this.limits = new Limits(options, listener);
    this.cache = new ReplayCache(options.getReplayCacheBytes(), environment::nowNanos);
  }

  long storeTimeoutNanos() {
    return options.getStoreTimeoutMillis() * 1_000_000L;
  }

  /**
   * Fails a store call after the store timeout. Whether it took effect is unknown then; a late
   * result is ignored.
   */
  <T> Future<T> bounded(Future<T> call) {
    if (call.isComplete()) {
      return call;
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
                        "The store did not reply within " + mostMillis + " ms. Safe to retry.")));
    call.onComplete(
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

  /** Ends an entry and responds to its waiters. No caller can join it afterwards. */
  void settle(KeyEntry entry, EntryResult result) {
    if (entry.end()) {
      ended(entry, result);
    }
  }

  /** Responds to waiters for attempts of other nodes. */
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

  /** Returns whether the claim on an entry's key is known to be held. */
  boolean isHeld(KeyEntry entry) {
    return entry.isHeld(environment.nowNanos());
  }

  /** Drops a watched entry without waiters in one step, so that no caller joins in between. */
  boolean dropIfUnwanted(KeyEntry entry) {
    boolean unwanted = entry.endIfUnwanted();
    if (unwanted) {
      table.remove(entry.operation().key(), entry);
    }
    return unwanted;
  }

  /** Removes a finished attempt. */
  void end(Attempt attempt) {
    if (attempts.remove(attempt.claim().token(), attempt)) {
      ran(attempt.operation());
    }
  }

  /** Returns a permit to run. */
  void ran(Operation operation) {
    limits.ran(operation.key().tenant());
    checkDrained();
  }

  boolean isDraining() {
    return drained != null;
  }

  /** Completes {@code done} as soon as no attempt runs and no caller waits. */
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
