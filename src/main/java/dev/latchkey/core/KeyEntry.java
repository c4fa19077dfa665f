package dev.latchkey.core;

import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.Fingerprint;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A key that this node runs, or waits for: one line of the node-wide table. Shared by all loops;
 * every change is one short step under the entry's own lock, which is never held while anything
 * else is called but counters.
 *
 * <p>While the claim is under way for the first time, the entry is <em>undecided</em>: the
 * fingerprint of whoever asked first proves nothing yet, so nobody is refused.
 */
public final class KeyEntry {

  /** What this node does about the key. */
  enum Activity {
    /** The store was asked for the claim. */
    CLAIMING,
    /** The claim is held here. */
    RUNNING,
    /** Somebody else holds it; interest is registered, the lease timer armed. */
    WATCHING,
    /** No longer in the table. */
    GONE
  }

  /** What came of an attempt to wait on the entry. */
  enum Joined {
    PARKED,
    GONE,
    REUSED,
    /** It is another request, but what is known of the key may have expired; counted as parked. */
    STALE,
    NO_WAIT,
    TOO_MANY
  }

  /** Who runs a claim that was granted. */
  enum Granted {
    /** The caller that came with it. */
    TO_OWNER,
    /** One of those who wait; the last to leave gives it back. */
    OFFERED,
    /** Nobody: the entry ended or moved on, or nobody waits. It is to be given back. */
    UNWANTED
  }

  /** What a waiter leaves behind. */
  enum Left {
    NOTHING_TO_DO,
    WATCH_UNWANTED,
    GRANT_UNWANTED,
    /**
     * A claim that nobody has taken yet, and others who wait. Whoever left may have been the only
     * one on its loop, and the others may sit where the offer was heard before they came.
     */
    OFFER_AGAIN
  }

  /**
   * A claim that is held and has nobody to run it.
   *
   * @param attempt that holds it
   * @param body of the request
   */
  record Offer(Attempt attempt, Buffer body) {}

  private final Operation operation;
  private final Limits limits;
  private Activity activity = Activity.CLAIMING;
  private boolean decided;
  private boolean offered;
  private @Nullable Attempt attempt;
  private int waiters;
  private long leaseEndsNanos;

  /** Until when the key is certainly kept; nothing is known of a key that somebody else holds. */
  private long keptUntilNanos;

  private Environment.Timer timer = Environment.Timer.NONE;
  private int round;

  /** The one body that is kept for all who wait. */
  private @Nullable Buffer body;

  KeyEntry(Operation operation, Limits limits) {
    this.operation = operation;
    this.limits = limits;
  }

  /** An entry for a key that was read to be held by somebody else. */
  static KeyEntry watched(Operation operation, Limits limits, long leaseEndsAtNanos) {
    KeyEntry entry = new KeyEntry(operation, limits);
    entry.activity = Activity.WATCHING;
    entry.decided = true;
    entry.leaseEndsNanos = leaseEndsAtNanos;
    entry.keptUntilNanos = leaseEndsAtNanos;
    return entry;
  }

  Operation operation() {
    return operation;
  }

  /** Lets a caller wait here, if it may. */
  synchronized Joined join(Caller caller, long nowNanos) {
    boolean same = isFor(caller.operation().fingerprint());
    if (activity == Activity.GONE) {
      return Joined.GONE;
    }
    if (decided && !same) {
      return mayBeFree(nowNanos) ? askInstead() : Joined.REUSED;
    }
    if (decided && caller.waitMillis() == 0) {
      return Joined.NO_WAIT;
    }
    if (waiters >= limits.maxParkedPerKey() || !limits.tryPark(operation.key().tenant())) {
      return Joined.TOO_MANY;
    }
    if (same && body == null) {
      Buffer own = caller.body();
      if (!limits.tryHoldBody(own.length())) {
        limits.unparked(operation.key().tenant());
        return Joined.TOO_MANY;
      }
      body = own;
    }
    waiters++;
    return Joined.PARKED;
  }

  /** Whether the key may have expired, as far as this node has heard, and name another request. */
  private boolean mayBeFree(long nowNanos) {
    return nowNanos - leaseEndsNanos >= 0 && nowNanos - keptUntilNanos >= 0;
  }

  private Joined askInstead() {
    return limits.tryPark(operation.key().tenant()) ? Joined.STALE : Joined.TOO_MANY;
  }

  /** One waiter less, answered or gone. */
  synchronized Left left() {
    limits.unparked(operation.key().tenant());
    waiters--;
    if (activity == Activity.GONE) {
      return Left.NOTHING_TO_DO;
    }
    if (waiters > 0) {
      return offered ? Left.OFFER_AGAIN : Left.NOTHING_TO_DO;
    }
    if (offered) {
      return Left.GRANT_UNWANTED;
    }
    return activity == Activity.WATCHING ? Left.WATCH_UNWANTED : Left.NOTHING_TO_DO;
  }

  /**
   * The claim is held. Who is to run it is settled in the same step: whoever joins or leaves from
   * here on finds it decided.
   */
  synchronized Granted granted(Attempt by, long leaseEndsAtNanos) {
    if (activity != Activity.CLAIMING || attempt != by) {
      return Granted.UNWANTED;
    }
    decided = true;
    activity = Activity.RUNNING;
    leaseEndsNanos = leaseEndsAtNanos;
    keptUntilNanos = by.keyFreeAtNanos();
    if (by.owner().isPresent()) {
      return Granted.TO_OWNER;
    }
    offered = waiters > 0;
    return offered ? Granted.OFFERED : Granted.UNWANTED;
  }

  /** Somebody else holds the claim, or this node's attempt is not what counts any more. */
  synchronized boolean watching(Attempt instead, long leaseEndsAtNanos) {
    if (activity == Activity.GONE || attempt != instead) {
      return false;
    }
    decided = true;
    activity = Activity.WATCHING;
    attempt = null;
    offered = false;
    leaseEndsNanos = leaseEndsAtNanos;
    keptUntilNanos = leaseEndsAtNanos;
    return true;
  }

  /** From watching back to claiming, for a takeover. */
  synchronized boolean claiming(Attempt by) {
    if (activity != Activity.WATCHING) {
      return false;
    }
    timer.cancel();
    activity = Activity.CLAIMING;
    attempt = by;
    return true;
  }

  /** The first claim of a new entry, or another claim after one that was withdrawn. */
  synchronized void attempt(Attempt by) {
    attempt = by;
  }

  /** Hands the claim that nobody runs yet, and the body to run with, to exactly one taker. */
  synchronized Optional<Offer> takeOffer() {
    if (!offered || attempt == null || body == null) {
      return Optional.empty();
    }
    offered = false;
    return Optional.of(new Offer(attempt, body));
  }

  /** Takes back the claim of an attempt that nobody has taken yet; false when somebody has. */
  synchronized boolean withdrawOffer(Attempt of) {
    if (!offered || attempt != of) {
      return false;
    }
    offered = false;
    return true;
  }

  /** Ends the entry once; returns false when it had ended. */
  synchronized boolean end() {
    if (activity == Activity.GONE) {
      return false;
    }
    activity = Activity.GONE;
    timer.cancel();
    if (body != null) {
      limits.dropBody(body.length());
      body = null;
    }
    return true;
  }

  /** Ends the entry if the claim is not held here: watched, or about to be taken over. */
  synchronized boolean endIfElsewhere() {
    boolean takesOver =
        activity == Activity.CLAIMING
            && attempt != null
            && attempt.request().mode() == ClaimRequest.Mode.TAKEOVER;
    return (activity == Activity.WATCHING || takesOver) && end();
  }

  /** Ends the entry if nobody waits on it and it is only watched. */
  synchronized boolean endIfUnwanted() {
    return activity == Activity.WATCHING && waiters == 0 && end();
  }

  /** Begins another look at a watched key: only the latest may act on what it reads. */
  synchronized int nextRound() {
    return ++round;
  }

  synchronized boolean isWatchingRound(int number) {
    return activity == Activity.WATCHING && round == number;
  }

  /** Arms the one timer of a watched key in place of the one before. */
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

  /** Whether somebody is known to hold the claim: this node, or another whose lease still runs. */
  synchronized boolean isHeld(long nowNanos) {
    return activity == Activity.RUNNING
        || (activity == Activity.WATCHING && leaseEndsNanos - nowNanos > 0);
  }

  synchronized boolean isDecided() {
    return decided;
  }

  synchronized boolean is(Activity asked) {
    return activity == asked;
  }

  /** Whether this attempt is the one whose end settles the entry. */
  synchronized boolean isRunBy(Attempt asked) {
    return activity != Activity.GONE && attempt == asked;
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
