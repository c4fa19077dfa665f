package dev.latchkey.core;

import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.Notice;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.ScopedKey;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Optional;

/**
 * What becomes of a request with an idempotency key on one node. It is answered from the cache of
 * completed keys; or it waits on what this node runs or watches already; or it claims the key.
 *
 * <p>Safe for use by any thread. A request belongs to a {@link Lot}, whose loop is the only one
 * that touches it; what the loops share is the table of entries, each with its own lock.
 */
public final class ControlFlow {

  final Node node;
  private final Claiming claiming;
  private final Finishing finishing;
  private final Losing losing;
  private final Watching watching;
  private final Sweep sweep;

  /**
   * Makes the control flow of a node.
   *
   * @param store where the records live
   * @param surroundings clock, timers, the carrier of news
   * @param options limits
   * @param listener told what happens
   */
  public ControlFlow(
      IdempotencyStore store,
      Surroundings surroundings,
      NodeOptions options,
      IdempotencyListener listener) {
    node = new Node(store, surroundings, options, listener);
    claiming = new Claiming(this, node);
    finishing = new Finishing(this, node);
    losing = new Losing(this, node);
    watching = new Watching(this, node);
    sweep = new Sweep(this, node);
  }

  /**
   * Makes the lot of an event loop, which has to hear all {@link Surroundings#announce news}.
   *
   * @param loop where its requests live
   * @return the lot
   */
  public Lot newLot(Loop loop) {
    return new Lot(this, node, loop);
  }

  /**
   * Says that requests with such terms may come.
   *
   * @param terms of a handler
   */
  public void expect(Terms terms) {
    sweep.expect(terms);
  }

  /**
   * A request has come; it is sound, its key well-formed. Called on its lot's loop.
   *
   * @param lot where it lives
   * @param caller who sent it
   */
  public void arrive(Lot lot, Caller caller) {
    if (node.isDraining()) {
      caller.answer(new Verdict.ShuttingDown(false));
      return;
    }
    Operation operation = caller.operation();
    Optional<ReplayCache.Completed> completed =
        node.cache.find(operation.key(), node.surroundings.nowNanos());
    if (completed.isPresent()) {
      caller.answer(fromCache(caller, completed.get()));
      return;
    }
    while (true) {
      Entry entry = node.table.get(operation.key());
      if (entry == null) {
        if (!node.limits.tryRun()) {
          caller.answer(new Verdict.Overloaded());
          return;
        }
        if (node.isDraining()) {
          // Since it was asked above. From here on a drain waits for the permit.
          node.ran();
          caller.answer(new Verdict.ShuttingDown(false));
          return;
        }
        Entry fresh = new Entry(operation, node.limits);
        entry = node.table.putIfAbsent(operation.key(), fresh);
        if (entry == null) {
          claiming.arrive(fresh, new Runner(lot, caller));
          return;
        }
        node.ran();
      }
      if (waitOn(entry, lot, caller)) {
        return;
      }
      node.table.remove(operation.key(), entry);
    }
  }

  private Verdict fromCache(Caller caller, ReplayCache.Completed completed) {
    Operation operation = caller.operation();
    if (!operation.fingerprint().equals(completed.fingerprint())) {
      return new Verdict.Reused(
          Phase.COMPLETED, completed.fingerprint(), Optional.of(completed.expiry()));
    }
    return new Verdict.Replay(completed.response(), completed.expiry());
  }

  /** Parks the caller or tells it why not; false when the entry has ended. */
  private boolean waitOn(Entry entry, Lot lot, Caller caller) {
    Entry.Joined joined = entry.join(caller, node.surroundings.nowNanos());
    switch (joined) {
      case GONE -> {
        return false;
      }
      case PARKED -> lot.park(entry, caller);
      case REUSED -> caller.answer(reused(entry));
      case STALE -> watching.askWhose(entry, lot, caller);
      case NO_WAIT -> caller.answer(inProgress(entry));
      case TOO_MANY ->
          caller.answer(new Verdict.TooManyWaiting(leaseLeftMillis(entry), node.isHeld(entry)));
    }
    return true;
  }

  /** A caller that thought to run waits for somebody else's run of the same request. */
  void waitInstead(Runner runner, Caller caller, long leaseEndsAtNanos) {
    if (runner.handOver()) {
      runner.lot().loop().run(() -> watch(runner.lot(), caller, leaseEndsAtNanos));
    }
  }

  private void watch(Lot lot, Caller caller, long leaseEndsAtNanos) {
    ScopedKey key = caller.operation().key();
    while (true) {
      Entry fresh = Entry.watched(caller.operation(), node.limits, leaseEndsAtNanos);
      Entry before = node.table.putIfAbsent(key, fresh);
      Entry entry = before == null ? fresh : before;
      if (waitOn(entry, lot, caller)) {
        if (entry.is(Entry.Phase.WATCHING)) {
          watching.beginOrDrop(entry);
        }
        return;
      }
      node.table.remove(key, entry);
    }
  }

  /** Sees to what a waiter left behind: drops it after the last one, offers it to the others. */
  void unwanted(Entry entry, Entry.Left left) {
    if (left == Entry.Left.WATCH_UNWANTED) {
      node.dropIfUnwanted(entry);
    } else if (left == Entry.Left.GRANT_UNWANTED) {
      entry.attempt().filter(entry::withdrawOffer).ifPresent(Attempt::giveBack);
    } else if (left == Entry.Left.OFFER_AGAIN) {
      node.surroundings.announce(new News.Offered(entry));
    }
  }

  Verdict reused(Entry entry) {
    return new Verdict.Reused(Phase.IN_PROGRESS, entry.operation().fingerprint(), Optional.empty());
  }

  Verdict inProgress(Entry entry) {
    return new Verdict.InProgress(leaseLeftMillis(entry));
  }

  private long leaseLeftMillis(Entry entry) {
    return entry.leaseLeftMillis(node.surroundings.nowNanos());
  }

  /**
   * The store says that something happened. Called on any thread.
   *
   * @param notice what the store says
   */
  public void noticed(Notice notice) {
    watching.noticed(notice);
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
    for (Entry entry : node.table.values()) {
      Verdict verdict = new Verdict.ShuttingDown(node.isHeld(entry));
      node.settleIfElsewhere(entry, Settlement.everybody(verdict));
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

  Claiming claiming() {
    return claiming;
  }

  Finishing finishing() {
    return finishing;
  }

  Losing losing() {
    return losing;
  }

  Watching watching() {
    return watching;
  }

  Sweep sweep() {
    return sweep;
  }
}
