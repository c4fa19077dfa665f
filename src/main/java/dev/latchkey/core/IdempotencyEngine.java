package dev.latchkey.core;

import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.Notification;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.ScopedKey;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Optional;

/**
 * What becomes of a request with an idempotency key on one node. It is answered from the cache of
 * completed keys; or it waits on what this node runs or watches already; or it claims the key.
 *
 * <p>Safe for use by any thread. A request belongs to a {@link ParkingLot}, whose loop is the only
 * one that touches it; what the loops share is the table of entries, each with its own lock.
 */
public final class IdempotencyEngine {

  final NodeState node;
  private final Claimer claimer;
  private final AttemptFinisher finisher;
  private final LostLeaseHandler lostLeaseHandler;
  private final KeyWatcher watcher;
  private final AttemptMonitor monitor;

  /**
   * Makes the control engine of a node.
   *
   * @param store where the records live
   * @param environment clock, timers, the carrier of event
   * @param options limits
   * @param listener told what happens
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
   * Makes the parkingLot of an event loop, which has to hear all {@link Environment#publish event}.
   *
   * @param loop where its requests live
   * @return the parkingLot
   */
  public ParkingLot newParkingLot(EventLoop loop) {
    return new ParkingLot(this, node, loop);
  }

  /**
   * Says that requests with such policy may come.
   *
   * @param policy of a handler
   */
  public void registerPolicy(ClaimPolicy policy) {
    monitor.registerPolicy(policy);
  }

  /**
   * A request has come; it is sound, its key well-formed. Called on its parkingLot's loop.
   *
   * @param parkingLot where it lives
   * @param caller who sent it
   */
  public void arrive(ParkingLot parkingLot, Caller caller) {
    if (node.isDraining()) {
      caller.respond(new CallerResponse.ShuttingDown(false));
      return;
    }
    Operation operation = caller.operation();
    Optional<ReplayCache.Completed> completed = node.cache.find(operation.key());
    if (completed.isPresent()) {
      caller.respond(fromCache(caller, completed.get()));
      return;
    }
    while (true) {
      KeyEntry entry = node.table.get(operation.key());
      if (entry == null) {
        if (!node.limits.tryRun()) {
          caller.respond(new CallerResponse.Overloaded());
          return;
        }
        if (node.isDraining()) {
          // Since it was asked above. From here on a drain waits for the permit.
          node.ran();
          caller.respond(new CallerResponse.ShuttingDown(false));
          return;
        }
        KeyEntry fresh = new KeyEntry(operation, node.limits);
        entry = node.table.putIfAbsent(operation.key(), fresh);
        if (entry == null) {
          claimer.arrive(fresh, new Owner(parkingLot, caller));
          return;
        }
        node.ran();
      }
      if (waitOn(entry, parkingLot, caller)) {
        return;
      }
      node.table.remove(operation.key(), entry);
    }
  }

  private CallerResponse fromCache(Caller caller, ReplayCache.Completed completed) {
    Operation operation = caller.operation();
    if (!operation.fingerprint().equals(completed.fingerprint())) {
      return new CallerResponse.KeyReused(
          Phase.COMPLETED, completed.fingerprint(), Optional.of(completed.expiry()));
    }
    return new CallerResponse.Replay(completed.response(), completed.expiry());
  }

  /** Parks the caller or tells it why not; false when the entry has ended. */
  private boolean waitOn(KeyEntry entry, ParkingLot parkingLot, Caller caller) {
    KeyEntry.Joined joined = entry.join(caller, node.environment.nowNanos());
    switch (joined) {
      case GONE -> {
        return false;
      }
      case PARKED -> parkingLot.park(entry, caller);
      case REUSED -> caller.respond(reused(entry));
      case STALE -> watcher.askWhose(entry, parkingLot, caller);
      case NO_WAIT -> caller.respond(inProgress(entry));
      case TOO_MANY ->
          caller.respond(
              new CallerResponse.TooManyWaiting(leaseLeftMillis(entry), node.isHeld(entry)));
    }
    return true;
  }

  /** A caller that thought to run waits for somebody else's run of the same request. */
  void waitInstead(Owner owner, Caller caller, long leaseEndsAtNanos) {
    if (owner.handOver()) {
      owner.parkingLot().loop().run(() -> watch(owner.parkingLot(), caller, leaseEndsAtNanos));
    }
  }

  private void watch(ParkingLot parkingLot, Caller caller, long leaseEndsAtNanos) {
    ScopedKey key = caller.operation().key();
    while (true) {
      KeyEntry fresh = KeyEntry.watched(caller.operation(), node.limits, leaseEndsAtNanos);
      KeyEntry before = node.table.putIfAbsent(key, fresh);
      KeyEntry entry = before == null ? fresh : before;
      if (waitOn(entry, parkingLot, caller)) {
        if (entry.is(KeyEntry.Activity.WATCHING)) {
          watcher.beginOrDrop(entry);
        }
        return;
      }
      node.table.remove(key, entry);
    }
  }

  /** Sees to what a waiter left behind: drops it after the last one, offers it to the others. */
  void unwanted(KeyEntry entry, KeyEntry.Left left) {
    if (left == KeyEntry.Left.WATCH_UNWANTED) {
      node.dropIfUnwanted(entry);
    } else if (left == KeyEntry.Left.GRANT_UNWANTED) {
      entry.attempt().filter(entry::withdrawOffer).ifPresent(Attempt::giveBack);
    } else if (left == KeyEntry.Left.OFFER_AGAIN) {
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
   * The store says that something happened. Called on any thread.
   *
   * @param notification from the store
   */
  public void onNotification(Notification notification) {
    watcher.onNotification(notification);
  }

  /**
   * Says whether {@link #drain} was called. On any thread.
   *
   * @return true from then on
   */
  public boolean isDraining() {
    return node.isDraining();
  }

  /**
   * Takes no more work: what only waits here for another node is told so at once, what runs here is
   * finished and answered.
   *
   * @return completes when nothing runs and nobody waits
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

  /** Returns how many callers are parked on this node. */
  public int parked() {
    return node.limits.parked();
  }

  /** Returns how many attempts have not ended on this node. */
  public int running() {
    return node.limits.running();
  }

  Claimer claimer() {
    return claimer;
  }

  AttemptFinisher finisher() {
    return finisher;
  }

  LostLeaseHandler lostLeaseHandler() {
    return lostLeaseHandler;
  }

  KeyWatcher watcher() {
    return watcher;
  }

  AttemptMonitor monitor() {
    return monitor;
  }
}
