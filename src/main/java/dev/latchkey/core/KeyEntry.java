package dev.latchkey.core;

import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.Fingerprint;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A key that this node executes or waits for: one entry of the node-wide table. Shared by all event
 * loops. Every change is one short step under the entry's own lock. Under it, the entry calls only
 * the counters of {@link Limits}, the lease of its attempt, and its timer to cancel it.
 *
 * <p>While its first claim is pending, an entry is <em>undecided</em>: the fingerprint of its first
 * caller proves nothing yet, so no caller is refused.
 */
public final class KeyEntry {

  /** A held claim without an owner, and the request body to execute it with. */
  record Offer(Attempt attempt, Buffer body) {}

  private final Operation operation;
  private final Limits limits;
  private EntryActivity activity = EntryActivity.CLAIMING;
  private boolean decided;
  private boolean offered;
  private @Nullable Attempt attempt;
  private int waiters;
  private long leaseEndsNanos;

  /** Until when the store certainly keeps the key. Unknown for a key with another owner. */
  private long keptUntilNanos;

  private Environment.Timer timer = Environment.Timer.NONE;
  private int round;

  /** The request body, kept once for all waiters. */
  private @Nullable Buffer body;

  KeyEntry(Operation operation, Limits limits) {
    this.operation = operation;
    this.limits = limits;
  }

  static KeyEntry watched(Operation operation, Limits limits, long leaseEndsAtNanos) {
    KeyEntry entry = new KeyEntry(operation, limits);
    entry.activity = EntryActivity.WATCHING;
    entry.decided = true;
    entry.leaseEndsNanos = leaseEndsAtNanos;
    entry.keptUntilNanos = leaseEndsAtNanos;
    return entry;
  }

  Operation operation() {
    return operation;
  }

  synchronized JoinResult join(Request request, long nowNanos) {
    boolean same = isFor(request.operation().fingerprint());
    if (activity == EntryActivity.GONE) {
      return JoinResult.GONE;
    }
    if (decided && !same) {
      return mayBeFree(nowNanos) ? askInstead() : JoinResult.REUSED;
    }
    if (decided && request.waitMillis == 0) {
      return JoinResult.NO_WAIT;
    }
    if (!limits.hasRoom(waiters) || !limits.tryPark(operation.key().tenant())) {
      return JoinResult.TOO_MANY;
    }
    if (same && body == null) {
      Buffer own = request.caller.body();
      if (!limits.tryHoldBody(operation.key().tenant(), own.length())) {
        limits.unparked(operation.key().tenant());
        return JoinResult.TOO_MANY;
      }
      body = own;
    }
    waiters++;
    return JoinResult.PARKED;
  }

  synchronized boolean mayBeFree(long nowNanos) {
    return nowNanos - leaseEndsNanos >= 0 && nowNanos - keptUntilNanos >= 0;
  }

  private JoinResult askInstead() {
    return limits.tryPark(operation.key().tenant()) ? JoinResult.STALE : JoinResult.TOO_MANY;
  }

  synchronized LeaveResult left() {
    limits.unparked(operation.key().tenant());
    waiters--;
    if (activity == EntryActivity.GONE) {
      return LeaveResult.NOTHING_TO_DO;
    }
    if (waiters > 0) {
      return offered ? LeaveResult.OFFER_AGAIN : LeaveResult.NOTHING_TO_DO;
    }
    if (offered) {
      return LeaveResult.GRANT_UNWANTED;
    }
    return activity == EntryActivity.WATCHING
        ? LeaveResult.WATCH_UNWANTED
        : LeaveResult.NOTHING_TO_DO;
  }

  /** Notes a granted claim and chooses its owner in the same step. */
  synchronized GrantResult granted(Attempt by, long leaseEndsAtNanos) {
    if (activity != EntryActivity.CLAIMING || attempt != by) {
      return GrantResult.UNWANTED;
    }
    decided = true;
    activity = EntryActivity.RUNNING;
    leaseEndsNanos = leaseEndsAtNanos;
    keptUntilNanos = by.lease().keyFreeAtNanos();
    if (by.owner().isPresent()) {
      return GrantResult.TO_OWNER;
    }
    offered = waiters > 0;
    return offered ? GrantResult.OFFERED : GrantResult.UNWANTED;
  }

  /** Another owner holds the claim, or this node's attempt is superseded. */
  synchronized boolean watching(Attempt instead, long leaseEndsAtNanos) {
    if (activity == EntryActivity.GONE || attempt != instead) {
      return false;
    }
    decided = true;
    activity = EntryActivity.WATCHING;
    attempt = null;
    offered = false;
    leaseEndsNanos = leaseEndsAtNanos;
    keptUntilNanos = leaseEndsAtNanos;
    return true;
  }

  synchronized boolean claiming(Attempt by) {
    if (activity != EntryActivity.WATCHING) {
      return false;
    }
    timer.cancel();
    activity = EntryActivity.CLAIMING;
    attempt = by;
    return true;
  }

  synchronized void attempt(Attempt by) {
    attempt = by;
  }

  /** Hands the offered claim to exactly one caller. */
  synchronized Optional<Offer> takeOffer() {
    if (!offered || attempt == null || body == null) {
      return Optional.empty();
    }
    offered = false;
    return Optional.of(new Offer(attempt, body));
  }

  synchronized boolean withdrawOffer(Attempt of) {
    if (!offered || attempt != of) {
      return false;
    }
    offered = false;
    return true;
  }

  synchronized boolean end() {
    if (activity == EntryActivity.GONE) {
      return false;
    }
    activity = EntryActivity.GONE;
    timer.cancel();
    if (body != null) {
      limits.dropBody(operation.key().tenant(), body.length());
      body = null;
    }
    return true;
  }

  synchronized boolean endIfElsewhere() {
    boolean takesOver =
        activity == EntryActivity.CLAIMING
            && attempt != null
            && attempt.request().mode() == ClaimRequest.Mode.TAKEOVER;
    return (activity == EntryActivity.WATCHING || takesOver) && end();
  }

  synchronized boolean endIfUnwanted() {
    return activity == EntryActivity.WATCHING && waiters == 0 && end();
  }

  /** Starts a read of a watched key: only the latest round may act on its result. */
  synchronized int nextRound() {
    return ++round;
  }

  synchronized boolean isWatchingRound(int number) {
    return activity == EntryActivity.WATCHING && round == number;
  }

  synchronized boolean arm(int number, Environment.Timer next) {
    if (!isWatchingRound(number)) {
      return false;
    }
    timer.cancel();
    timer = next;
    return true;
  }

  synchronized void leaseEnds(long atNanos) {
    leaseEndsNanos = atNanos;
  }

  synchronized long leaseLeftMillis(long nowNanos) {
    return decided ? Math.max(0, (leaseEndsNanos - nowNanos) / 1_000_000L) : 0;
  }

  /** Returns whether the claim is held: here, or by another owner with an unexpired lease. */
  synchronized boolean isHeld(long nowNanos) {
    return activity == EntryActivity.RUNNING
        || (activity == EntryActivity.WATCHING && leaseEndsNanos - nowNanos > 0);
  }

  synchronized boolean isDecided() {
    return decided;
  }

  synchronized boolean is(EntryActivity asked) {
    return activity == asked;
  }

  synchronized boolean isRunBy(Attempt asked) {
    return activity != EntryActivity.GONE && attempt == asked;
  }

  synchronized boolean hasWaiters() {
    return waiters > 0;
  }

  synchronized Optional<Attempt> attempt() {
    return Optional.ofNullable(attempt);
  }

  boolean isFor(Fingerprint fingerprint) {
    return operation.fingerprint().equals(fingerprint);
  }
}
