package dev.latchkey.core;

import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.Notification;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.ScopedKey;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Optional;

/**
 * Handles requests with idempotency keys on one node. A request gets a response from the cache of
 * completed keys, or waits for a key that this node executes or watches, or claims its key.
 *
 * <p>Safe for use by any thread. A request belongs to the {@link ParkingLot} of its event loop and
 * is touched by that loop only. The loops share the table of entries, each with its own lock.
 */
public final class IdempotencyEngine {

  final NodeState node;
  final Claimer claimer;
  final AttemptFinisher finisher;
  final LostLeaseHandler lostLeaseHandler;
  final KeyWatcher watcher;
  final AttemptMonitor monitor;

  /**
   * Makes the engine of a node.
   *
   * @param store keeps the records
   * @param environment clock, timers and event bus
   * @param options limits
   * @param listener observes the node
   */
  public IdempotencyEngine(
      IdempotencyStore store,
      Environment environment,
      NodeOptions options,
      IdempotencyListener listener) {
    node = new NodeState(store, environment, options, listener);
    claimer = new Claimer(this, node);
    finisher = new AttemptFinisher(this, node);
    lostLeaseHandler = new LostLeaseHandler(this, node);
    watcher = new KeyWatcher(this, node);
    monitor = new AttemptMonitor(this, node);
  }

  /**
   * Makes the parking lot of an event loop. It must receive every event that is {@linkplain
   * Environment#publish published}.
   *
   * @param loop the event loop of its requests
   * @return the parking lot
   */
  public ParkingLot newParkingLot(EventLoop loop) {
    return new ParkingLot(this, node, loop);
  }

  /**
   * Announces the policy of a handler before its first request.
   *
   * @param policy the handler's policy
   */
  public void registerPolicy(ClaimPolicy policy) {
    monitor.registerPolicy(policy);
  }

  /**
   * Handles a valid request with a well-formed key. Called on the event loop of its parking lot.
   *
   * @param parkingLot the parking lot of the request's event loop
   * @param caller the sender of the request
   */
  public void arrive(ParkingLot parkingLot, Caller caller) {
    arrive(new Request(parkingLot, caller, caller.waitMillis(), null));
  }

  void arrive(Request request) {
    if (node.isDraining()) {
      request.respondHere(new CallerResponse.ShuttingDown(false));
      return;
    }
    Optional<ReplayCache.Completed> completed = node.cache.find(request.operation().key());
    node.listener.replayCacheQueried(completed.isPresent());
    if (completed.isPresent()) {
      request.respondHere(fromCache(request.operation(), completed.get()));
      return;
    }
    while (!joinOrClaim(request)) {
      // The entry ended between the look-up and the join.
    }
  }

  private boolean joinOrClaim(Request request) {
    Operation operation = request.operation();
    KeyEntry entry = node.table.get(operation.key());
    if (entry == null) {
      if (!node.limits.tryRun(operation.key().tenant())) {
        request.respondHere(new CallerResponse.Overloaded());
        return true;
      }
      if (node.isDraining()) {
        // The drain began after the first check. From here on, a drain waits for the permit.
        node.ran(operation);
        request.respondHere(new CallerResponse.ShuttingDown(false));
        return true;
      }
      KeyEntry fresh = new KeyEntry(operation, node.limits);
      entry = node.table.putIfAbsent(operation.key(), fresh);
      if (entry == null) {
        claimer.arrive(fresh, request);
        return true;
      }
      node.ran(operation);
    }
    if (waitOn(entry, request)) {
      return true;
    }
    node.table.remove(operation.key(), entry);
    return false;
  }

  private static CallerResponse fromCache(Operation operation, ReplayCache.Completed completed) {
    if (!operation.fingerprint().equals(completed.fingerprint())) {
      return new CallerResponse.KeyReused(
          Phase.COMPLETED, completed.fingerprint(), Optional.of(completed.expiry()));
    }
    return new CallerResponse.Replay(completed.response(), completed.expiry());
  }

  /** Parks the caller or responds; returns false if the entry has ended. */
  private boolean waitOn(KeyEntry entry, Request request) {
    JoinResult joined = entry.join(request, node.environment.nowNanos());
    switch (joined) {
      case GONE -> {
        return false;
      }
      case PARKED -> request.parkingLot.park(entry, request);
      case REUSED -> request.respondHere(reused(entry));
      case STALE -> watcher.readForOther(entry, request);
      case NO_WAIT -> request.respondHere(inProgress(entry));
      case TOO_MANY ->
          request.respondHere(
              new CallerResponse.TooManyWaiting(leaseLeftMillis(entry), node.isHeld(entry)));
    }
    return true;
  }

  /** Lets a request that expected to execute wait for another owner of the key. */
  void waitInstead(Request owner, Request waiting, long leaseEndsAtNanos) {
    if (owner.handOver()) {
      owner.parkingLot.loop().run(() -> watch(waiting, leaseEndsAtNanos));
    }
  }

  private void watch(Request request, long leaseEndsAtNanos) {
    ScopedKey key = request.operation().key();
    while (true) {
      KeyEntry fresh = KeyEntry.watched(request.operation(), node.limits, leaseEndsAtNanos);
      KeyEntry before = node.table.putIfAbsent(key, fresh);
      KeyEntry entry = before == null ? fresh : before;
      if (waitOn(entry, request)) {
        if (entry.is(EntryActivity.WATCHING)) {
          watcher.beginOrDrop(entry);
        }
        return;
      }
      node.table.remove(key, entry);
    }
  }

  /** Cleans up after a waiter that left: drops an unwanted entry, renews an offer. */
  void unwanted(KeyEntry entry, LeaveResult left) {
    if (left == LeaveResult.WATCH_UNWANTED) {
      node.dropIfUnwanted(entry);
    } else if (left == LeaveResult.GRANT_UNWANTED) {
      entry.attempt().filter(entry::withdrawOffer).ifPresent(Attempt::giveBack);
    } else if (left == LeaveResult.OFFER_AGAIN) {
      node.environment.publish(new EntryEvent.Offered(entry));
    }
  }

  CallerResponse reused(KeyEntry entry) {
    return new CallerResponse.KeyReused(
        Phase.IN_PROGRESS, entry.operation().fingerprint(), Optional.empty());
  }

  CallerResponse inProgress(KeyEntry entry) {
    return new CallerResponse.InProgress(leaseLeftMillis(entry));
  }

  private long leaseLeftMillis(KeyEntry entry) {
    return entry.leaseLeftMillis(node.environment.nowNanos());
  }

  /**
   * Handles a notification of the store. Called on any thread.
   *
   * @param notification the store's notification
   */
  public void onNotification(Notification notification) {
    watcher.onNotification(notification);
  }

  /**
   * Returns whether {@link #drain} was called.
   *
   * @return true from then on
   */
  public boolean isDraining() {
    return node.isDraining();
  }

  /**
   * Stops accepting work. Waiters for other nodes get a response at once; attempts on this node
   * finish normally.
   *
   * @return completes when no attempt runs and no caller waits
   */
  public Future<Void> drain() {
    Promise<Void> done = Promise.promise();
    node.drain(done);
    for (KeyEntry entry : node.table.values()) {
      CallerResponse response = new CallerResponse.ShuttingDown(node.isHeld(entry));
      node.settleIfElsewhere(entry, EntryResult.everybody(response));
    }
    return done.future();
  }

  /** Returns the number of callers parked on this node. */
  public int parked() {
    return node.limits.parked();
  }

  /** Returns the number of unfinished attempts on this node. */
  public int running() {
    return node.limits.running();
  }
}
