package dev.latchkey.core;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult.Claimed;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of an attempt, from its claim until the store's final result. Every change is a short
 * step under the attempt's own lock, since the caller's loop, the monitor and the store's results
 * meet here. Times are on the node's monotonic clock.
 */
abstract sealed class AttemptState permits Attempt {

  /** The phase of an attempt. */
  enum State {
    CLAIMING,
    RUNNING,
    COMPLETING,
    RELEASING,
    /** The lease is lost; the node reads the key to find the valid response. */
    READING,
    ENDED
  }

  /** An attempt that ends this soon after a failed step ends because of it. */
  private static final long STEP_FAILURE_NANOS = 1_000_000_000L;

  /** The longest wait for a step that counts as waiting for the store. */
  private static final long MAX_STEP_WAIT_NANOS = 4_000_000_000L;

  private final KeyEntry entry;
  private final ClaimRequest request;
  private final AttemptLease lease;
  private State state = State.CLAIMING;
  private @Nullable Request owner;
  private @Nullable Claimed claimed;
  private @Nullable AttemptResult result;

  /** When the caller began to wait for the store; meaningless while running. */
  private long storeNeededSinceNanos;

  private boolean stepFailed;
  private long stepAskedAtNanos;
  private long stepFailedAtNanos;
  private long sentAtNanos;
  private long grantedAtNanos;
  private boolean maybeOrphaned;

  /** When the first claim was sent; after the execution, when its result was first sent. */
  private long resolvingSinceNanos;

  private int resultsSent;
  private int failures;

  AttemptState(KeyEntry entry, ClaimRequest request, long nowNanos) {
    this.entry = entry;
    this.request = request;
    this.lease = new AttemptLease(request.claim().leaseMillis());
    this.resolvingSinceNanos = nowNanos;
    this.storeNeededSinceNanos = nowNanos;
    this.sentAtNanos = nowNanos;
  }

  abstract Operation operation();

  KeyEntry entry() {
    return entry;
  }

  ClaimRequest request() {
    return request;
  }

  Claim claim() {
    return request.claim();
  }

  AttemptLease lease() {
    return lease;
  }

  synchronized Optional<Request> owner() {
    return Optional.ofNullable(owner);
  }

  synchronized void owner(Request by) {
    owner = by;
  }

  /** Removes the caller from an attempt whose claim is pending. */
  synchronized Optional<Request> dismissOwner() {
    Optional<Request> dismissed = state == State.CLAIMING ? owner() : Optional.empty();
    dismissed.ifPresent(removed -> owner = null);
    return dismissed;
  }

  /** A copy of the claim without a response may have been granted. */
  synchronized void markMaybeOrphaned() {
    maybeOrphaned = true;
  }

  synchronized boolean isMaybeOrphaned() {
    return maybeOrphaned;
  }

  synchronized State state() {
    return state;
  }

  /** Moves to another state if the attempt is in the expected one. */
  synchronized boolean move(State from, State to, long nowNanos) {
    if (state != from) {
      return false;
    }
    state = to;
    sentAtNanos = nowNanos;
    failures = 0;
    return true;
  }

  /**
   * Notes that the claim is granted. The lease may run since the first copy of the claim was sent:
   * a repeated claim does not extend it. Returns the earliest end of the lease.
   */
  synchronized long granted(Claimed grant, long nowNanos, long askedAtNanos) {
    claimed = grant;
    grantedAtNanos = nowNanos;
    lease.keepKey(grant.expiry(), askedAtNanos);
    return lease.grant(resolvingSinceNanos);
  }

  synchronized boolean wasGranted() {
    return claimed != null;
  }

  synchronized Claimed granted() {
    if (claimed == null) {
      throw new IllegalStateException("the claim is not granted");
    }
    return claimed;
  }

  /** Ends the execution; returns false and changes nothing if it has ended. */
  synchronized boolean end(AttemptResult how, State to, long nowNanos) {
    if (!move(State.RUNNING, to, nowNanos)) {
      return false;
    }
    result = how;
    resultsSent = 0;
    resolvingSinceNanos = nowNanos;
    storeNeededSinceNanos = nowNanos;
    if (stepFailed && nowNanos - stepFailedAtNanos <= STEP_FAILURE_NANOS) {
      // The caller has already waited for the store. Leave some time for the ending itself.
      storeNeededSinceNanos = Math.max(stepAskedAtNanos, nowNanos - MAX_STEP_WAIT_NANOS);
    }
    return true;
  }

  synchronized void stepFailed(long askedAtNanos, long nowNanos) {
    stepFailed = true;
    stepAskedAtNanos = askedAtNanos;
    stepFailedAtNanos = nowNanos;
  }

  /** Returns whether the attempt has ended or is to end without a stored response. */
  synchronized boolean hasNoUseForItsClaim() {
    return state == State.ENDED || (result != null && !result.keep());
  }

  synchronized void resultSent() {
    resultsSent++;
  }

  /**
   * Returns whether an absent key may have been completed by this attempt and expired since: an
   * earlier copy of the completion may have succeeded without a response.
   */
  synchronized boolean mayHaveExpiredCompleted(long nowNanos) {
    return resultsSent > 1 && nowNanos - lease.keyFreeAtNanos() >= 0;
  }

  synchronized AttemptResult result() {
    if (result == null) {
      throw new IllegalStateException("the attempt has not ended");
    }
    return result;
  }

  /** Compares by identity: an equal result may belong to an earlier execution. */
  @SuppressWarnings("ReferenceEquality")
  synchronized boolean endsWith(AttemptResult asked) {
    return result == asked;
  }

  synchronized void sent(long nowNanos) {
    sentAtNanos = nowNanos;
  }

  /** Counts a failed call; returns the delay before the retry in milliseconds. */
  synchronized long backOffMillis() {
    failures++;
    return backOffMillis(failures);
  }

  static long backOffMillis(int failures) {
    return Math.min(1_000, 50L << Math.min(failures, 6));
  }

  /** Restarts the time that the next caller may wait for the store. */
  synchronized void storeNeededSince(long nowNanos) {
    storeNeededSinceNanos = nowNanos;
  }

  /** Returns whether to give up resolving the attempt: after twice the run limit. */
  synchronized boolean isPastResolving(long nowNanos) {
    return nowNanos - resolvingSinceNanos >= 2 * operation().policy().runLimitMillis() * 1_000_000L;
  }

  /** Returns how long the caller has waited for the store. */
  synchronized long storeNeededNanos(long nowNanos) {
    return nowNanos - storeNeededSinceNanos;
  }

  synchronized long pendingNanos(long nowNanos) {
    return nowNanos - sentAtNanos;
  }

  synchronized long runNanos(long nowNanos) {
    return claimed == null ? 0 : nowNanos - grantedAtNanos;
  }

  /** The lost key is granted again. Ignored later, when a copy of the completion is in transit. */
  synchronized boolean claimedAgain(Claimed grant, long askedAtNanos, long nowNanos) {
    if (!move(State.READING, State.COMPLETING, nowNanos)) {
      return false;
    }
    lease.regain(askedAtNanos);
    lease.keepKey(grant.expiry(), askedAtNanos);
    resultsSent = 0;
    return true;
  }

  /** Returns whether the attempt still works after half of its lease. */
  synchronized boolean wantsRenewal(long nowNanos) {
    return (state == State.RUNNING || state == State.COMPLETING || state == State.RELEASING)
        && lease.isDue(nowNanos);
  }
}
