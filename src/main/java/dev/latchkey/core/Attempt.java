package dev.latchkey.core;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult.Claimed;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.StepResult;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.TransactionWork;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One claim, from the moment the store is asked for it until what became of it is known. It can
 * outlive its place in the table: when the lease was lost or the run limit passed, the key goes on
 * without it, and the compare-and-set on its token decides what its end is worth.
 *
 * <p>Changes are short steps under its own lock, since the loop of its caller, the sweep and the
 * store's answers meet here.
 */
public final class Attempt {

  /** How far it has come. */
  enum State {
    CLAIMING,
    RUNNING,
    COMPLETING,
    RELEASING,
    /** The lease was lost; the record is read to see what counts now. */
    READING,
    ENDED
  }

  /** What ends so soon after a step failed ends because of that. */
  private static final long AT_ONCE_NANOS = 1_000_000_000L;

  /** Leaves the ending some time of its own. */
  private static final long MOST_WAITED_FOR_STEP_NANOS = 4_000_000_000L;

  /** Some 34 years: keeps the sum of nanoseconds from overflowing. */
  private static final long MAX_MILLIS = 1L << 40;

  private final AttemptFinisher finisher;
  private final KeyEntry entry;
  private final ClaimRequest request;
  private State state = State.CLAIMING;
  private @Nullable Owner owner;
  private @Nullable Claimed claimed;
  private @Nullable AttemptResult ending;

  /** Since when the caller can do nothing without the store; while running, of no meaning. */
  private long storeNeededSinceNanos;

  private long stepAskedAtNanos;
  private long stepFailedAtNanos;
  private boolean stepFailed;
  private long sentAtNanos;
  private long grantedAtNanos;
  private long renewedAtNanos;
  private boolean mayHaveClaimed;
  private boolean leaseLost;
  private boolean lossTold;
  private boolean pastRunLimit;

  /** Since when the claim is asked for; once the handler has ended, since when that is resolved. */
  private long resolvingSinceNanos;

  private long keyFreeAtNanos;
  private int endingsSent;
  private int failures;

  Attempt(AttemptFinisher finisher, KeyEntry entry, ClaimRequest request, long nowNanos) {
    this.finisher = finisher;
    this.entry = entry;
    this.request = request;
    this.resolvingSinceNanos = nowNanos;
    this.storeNeededSinceNanos = nowNanos;
    this.sentAtNanos = nowNanos;
  }

  /** Returns how often the key was claimed, this time included. */
  public int number() {
    return granted().attempt();
  }

  /** Returns what is asked for. */
  public Operation operation() {
    return entry.operation();
  }

  /** Returns what earlier attempts recorded, by name. */
  public Map<String, Buffer> steps() {
    return granted().steps();
  }

  /**
   * Records a step under the claim.
   *
   * @param name of the step
   * @param result what it gave
   * @return what became of it
   */
  public Future<StepResult> recordStep(String name, Buffer result) {
    return finisher.recordStep(this, name, result);
  }

  /**
   * Ends the attempt with an answer that is to be stored. The caller hears what became of it.
   *
   * @param response the answer
   * @param effects what to write with it
   */
  public void complete(StoredResponse response, List<Effect> effects) {
    finisher.complete(this, AttemptResult.kept(response, effects));
  }

  /**
   * Tells whether the store runs work on a kind of connection.
   *
   * @param connectionType the kind
   * @return whether {@link #complete(TransactionWork, List)} may be called with it
   */
  public boolean runsTransactionsOn(Class<?> connectionType) {
    return finisher.runsTransactionsOn(connectionType);
  }

  /**
   * Ends the attempt with an answer that is made inside the completing transaction. The caller
   * hears what became of it.
   *
   * @param work makes the answer
   * @param effects what to write besides
   */
  public void complete(TransactionWork<?> work, List<Effect> effects) {
    finisher.complete(this, AttemptResult.inTransaction(work, effects));
  }

  /**
   * Ends the attempt with an answer that is not to be stored. The caller hears what became of it.
   *
   * @param response what those who wait on this node get too
   */
  public void release(StoredResponse response) {
    finisher.release(this, AttemptResult.released(response));
  }

  /** Ends as another attempt of the same caller meant to. */
  void endAs(AttemptResult other) {
    if (other.keep()) {
      finisher.complete(this, other);
    } else {
      finisher.release(this, other);
    }
  }

  /** Ends without having run. */
  void giveBack() {
    finisher.giveBack(this);
  }

  KeyEntry entry() {
    return entry;
  }

  ClaimRequest request() {
    return request;
  }

  Claim claim() {
    return request.claim();
  }

  synchronized Optional<Owner> owner() {
    return Optional.ofNullable(owner);
  }

  synchronized void owner(Owner by) {
    owner = by;
  }

  /** Takes the caller away from an attempt that has not been granted. */
  synchronized Optional<Owner> dismissOwner() {
    if (state != State.CLAIMING) {
      return Optional.empty();
    }
    Optional<Owner> dismissed = owner();
    owner = null;
    return dismissed;
  }

  /** A copy of the claim may have reached the store without our hearing of it. */
  synchronized void mayHaveClaimed() {
    mayHaveClaimed = true;
  }

  synchronized boolean isGhost() {
    return mayHaveClaimed;
  }

  synchronized State state() {
    return state;
  }

  /** Moves on, if it stands where the caller believes. */
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
   * The claim is held. Its lease may run since it was asked for the first time: a claim that is
   * sent again leaves the lease alone.
   *
   * @param askedAtNanos when this answer was asked for
   * @return when the lease ends at the earliest
   */
  synchronized long granted(Claimed result, long nowNanos, long askedAtNanos) {
    claimed = result;
    grantedAtNanos = nowNanos;
    renewedAtNanos = resolvingSinceNanos;
    keyIsKept(result.expiry(), askedAtNanos);
    return renewedAtNanos + claim().leaseMillis() * 1_000_000L;
  }

  private void keyIsKept(Expiry expiry, long askedAtNanos) {
    keyFreeAtNanos = askedAtNanos + Math.min(expiry.inMillis(), MAX_MILLIS) * 1_000_000L;
  }

  /** Until when the store keeps the key at least, by this node's clock. */
  synchronized long keyFreeAtNanos() {
    return keyFreeAtNanos;
  }

  synchronized boolean wasGranted() {
    return claimed != null;
  }

  private synchronized Claimed granted() {
    if (claimed == null) {
      throw new IllegalStateException("the claim has not been granted");
    }
    return claimed;
  }

  /** The handler ends; false when it had ended, and then nothing changes. */
  synchronized boolean end(AttemptResult how, State to, long nowNanos) {
    if (!move(State.RUNNING, to, nowNanos)) {
      return false;
    }
    ending = how;
    endingsSent = 0;
    resolvingSinceNanos = nowNanos;
    storeNeededSinceNanos = nowNanos;
    if (stepFailed && nowNanos - stepFailedAtNanos <= AT_ONCE_NANOS) {
      // The caller has waited for the store already.
      long fairNanos = nowNanos - MOST_WAITED_FOR_STEP_NANOS;
      storeNeededSinceNanos = Math.max(stepAskedAtNanos, fairNanos);
    }
    return true;
  }

  /** A step could not be recorded. */
  synchronized void stepFailed(long askedAtNanos, long nowNanos) {
    stepFailed = true;
    stepAskedAtNanos = askedAtNanos;
    stepFailedAtNanos = nowNanos;
  }

  /** Whether it is over, or is to end without an answer to keep. */
  synchronized boolean hasNoUseForItsClaim() {
    return state == State.ENDED || (ending != null && !ending.keep());
  }

  synchronized void endingSent() {
    endingsSent++;
  }

  /**
   * Whether a key that the store does not know any more may have been completed by this very
   * attempt, in a sending that was not heard of, and have expired since.
   */
  synchronized boolean mayHaveExpiredCompleted(long nowNanos) {
    return endingsSent > 1 && nowNanos - keyFreeAtNanos >= 0;
  }

  synchronized AttemptResult ending() {
    if (ending == null) {
      throw new IllegalStateException("the attempt has not ended");
    }
    return ending;
  }

  /** Whether this very ending is the present one, not one that says the same. */
  @SuppressWarnings("ReferenceEquality")
  synchronized boolean endsWith(AttemptResult asked) {
    return ending == asked;
  }

  synchronized void sent(long nowNanos) {
    sentAtNanos = nowNanos;
  }

  /** Counts a failed call; returns how long to wait before it is sent again, in milliseconds. */
  synchronized long backOffMillis() {
    failures++;
    return backOffMillis(failures);
  }

  static long backOffMillis(int failures) {
    return Math.min(1_000, 50L << Math.min(failures, 6));
  }

  /** Whoever needs the store from now on has its own time. */
  synchronized void storeNeededSince(long nowNanos) {
    storeNeededSinceNanos = nowNanos;
  }

  /** Whether nobody should go on resolving what became of this attempt. */
  synchronized boolean isPastResolving(long nowNanos) {
    return nowNanos - resolvingSinceNanos >= 2 * operation().policy().runLimitMillis() * 1_000_000L;
  }

  /** For how long its caller has needed the store. */
  synchronized long storeNeededNanos(long nowNanos) {
    return nowNanos - storeNeededSinceNanos;
  }

  synchronized long unansweredNanos(long nowNanos) {
    return nowNanos - sentAtNanos;
  }

  synchronized long runNanos(long nowNanos) {
    return claimed == null ? 0 : nowNanos - grantedAtNanos;
  }

  synchronized void renewed(long nowNanos) {
    renewedAtNanos = nowNanos;
  }

  /** Stops renewals; returns false when they had stopped. */
  synchronized boolean loseLease() {
    boolean first = !leaseLost;
    leaseLost = true;
    return first;
  }

  /** A renewal and the ending may both find the claim gone; returns true for whichever is first. */
  synchronized boolean tellLoss() {
    boolean first = !lossTold;
    lossTold = true;
    return first;
  }

  /** Its limit is over, and with it its renewals; returns true once, also if it was lost before. */
  synchronized boolean passRunLimit() {
    boolean first = !pastRunLimit;
    pastRunLimit = true;
    leaseLost = true;
    return first;
  }

  /** The store forgot the claim and granted it again. */
  synchronized void regainLease(long nowNanos) {
    leaseLost = pastRunLimit;
    renewedAtNanos = nowNanos;
  }

  /** The store knew nothing of the key, and has granted it again to be completed. */
  synchronized void claimedAgain(Claimed result, long askedAtNanos) {
    regainLease(askedAtNanos);
    endingsSent = 0;
    keyIsKept(result.expiry(), askedAtNanos);
  }

  /** Whether half of the lease is over and the store should hear that the work goes on. */
  synchronized boolean wantsRenewal(long nowNanos) {
    return claimed != null
        && !leaseLost
        && (state == State.RUNNING || state == State.COMPLETING || state == State.RELEASING)
        && nowNanos - renewedAtNanos >= claim().leaseMillis() * 500_000L;
  }
}
