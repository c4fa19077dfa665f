package dev.latchkey.store.hybrid;

import dev.latchkey.idempotency.spi.Claim;
import dev.latchkey.idempotency.spi.ClaimRequest;
import dev.latchkey.idempotency.spi.ClaimResult;
import dev.latchkey.idempotency.spi.CompleteResult;
import dev.latchkey.idempotency.spi.Effect;
import dev.latchkey.idempotency.spi.IdempotencyStore;
import dev.latchkey.idempotency.spi.KeyRecord;
import dev.latchkey.idempotency.spi.KeyState;
import dev.latchkey.idempotency.spi.Notice;
import dev.latchkey.idempotency.spi.Phase;
import dev.latchkey.idempotency.spi.ReleaseResult;
import dev.latchkey.idempotency.spi.ScopedKey;
import dev.latchkey.idempotency.spi.StepResult;
import dev.latchkey.idempotency.spi.StoreException;
import dev.latchkey.idempotency.spi.StoreException.Outcome;
import dev.latchkey.idempotency.spi.StoredResponse;
import dev.latchkey.idempotency.spi.Subscription;
import dev.latchkey.idempotency.spi.Token;
import dev.latchkey.idempotency.spi.TransactionWork;
import dev.latchkey.store.ClaimStore;
import dev.latchkey.store.Receipt;
import dev.latchkey.store.Receipts;
import dev.latchkey.store.Receipts.Attempted;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Claims in one store, answers and effects in a ledger that keeps {@link Receipts}. Claims are
 * cheap and may be forgotten; what was answered is decided by the receipt alone. A claim is granted
 * only when the claims <em>and</em> the receipts say go, so that nothing runs while either is away,
 * and nothing runs again that the claims forgot. A live receipt beats whatever the claims say.
 *
 * <p>A completion commits the receipt first; that is the answer. The claims are told afterwards and
 * need not be heard: until they know, or their lease ends, everybody finds the receipt. Whether the
 * claim is still held is asked before the commit only where its lease may be over. Were it lost all
 * the same, the receipt decides: of two owners the first to commit is right, and the other is told
 * {@link CompleteResult.LostLease}.
 *
 * <p>Keeps the terms of at most {@value Granted#MAX_CLAIMS} running claims; safe for use by any
 * thread; closes neither of its parts.
 */
public final class HybridStore implements IdempotencyStore {

  private static final CompleteResult LOST = new CompleteResult.LostLease();

  private final ClaimStore claims;
  private final Receipts receipts;
  private final Granted granted;

  private HybridStore(ClaimStore claims, Receipts receipts, Granted granted) {
    this.claims = claims;
    this.receipts = receipts;
    this.granted = granted;
  }

  /**
   * Joins the two.
   *
   * @param claims keeps claims, steps and who waits; its own effects are never used
   * @param receipts of the ledger that effects are written to
   * @return the store
   */
  public static HybridStore create(ClaimStore claims, Receipts receipts) {
    return create(claims, receipts, System::nanoTime, Granted.MAX_CLAIMS);
  }

  static HybridStore create(
      ClaimStore claims, Receipts receipts, LongSupplier nanos, int maxClaims) {
    return new HybridStore(claims, receipts, new Granted(nanos, maxClaims));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Asks both at once. What is completed is answered also while one of them is away.
   */
  @Override
  public Future<ClaimResult> claim(ClaimRequest request) {
    long askedAtNanos = granted.nowNanos();
    Future<ClaimResult> claiming = claims.claim(request);
    Future<Optional<Receipt>> finding = receipts.find(request.claim().key());
    return Future.join(claiming, finding)
        .transform(
            joined -> {
              if (finding.succeeded() && finding.result().isPresent()) {
                return Future.succeededFuture(
                    byReceipt(request.claim(), finding.result().get(), claiming));
              }
              if (finding.failed() && !isCompleted(claiming)) {
                return Future.failedFuture(withoutLedger(claiming, finding.cause()));
              }
              return claiming.map(result -> remember(request, result, askedAtNanos));
            });
  }

  /** The claims are told of an end after its commit alone, so what they say of one is true. */
  private static boolean isCompleted(Future<ClaimResult> claiming) {
    return claiming.succeeded()
        && (claiming.result() instanceof ClaimResult.Completed
            || (claiming.result() instanceof ClaimResult.Mismatch mismatch
                && mismatch.phase() == Phase.COMPLETED));
  }

  private static StoreException withoutLedger(Future<ClaimResult> claiming, Throwable cause) {
    boolean mayBeClaimed =
        claiming.succeeded()
            ? claiming.result() instanceof ClaimResult.Claimed
            : !(claiming.cause() instanceof StoreException known)
                || known.outcome() == Outcome.UNKNOWN;
    return new StoreException(
        mayBeClaimed ? Outcome.UNKNOWN : Outcome.NOT_DONE,
        "claim: the ledger's receipts cannot be read: " + cause.getMessage(),
        cause);
  }

  private ClaimResult remember(ClaimRequest request, ClaimResult result, long askedAtNanos) {
    if (result instanceof ClaimResult.Claimed claimed
        && !granted.add(request, claimed, askedAtNanos)) {
      claims.release(request.claim());
      return new ClaimResult.Full();
    }
    return result;
  }

  /** The key has its answer, whatever the claims know of it. */
  private ClaimResult byReceipt(Claim claim, Receipt receipt, Future<ClaimResult> claiming) {
    if (claiming.succeeded() && claiming.result() instanceof ClaimResult.Claimed) {
      revoke(claim);
    }
    return receipt.fingerprint().equals(claim.fingerprint())
        ? new ClaimResult.Completed(receipt.response(), receipt.expiry())
        : new ClaimResult.Mismatch(
            Phase.COMPLETED, receipt.outline(), Optional.of(receipt.expiry()));
  }

  /**
   * A claim beside a receipt. Completed or released it would count from its own first use, which is
   * later than that of the receipt, and keep the key longer than callers were told. Nobody waits
   * for it: unheard, the claim ends with its lease, and the receipt is found all the while.
   */
  private void revoke(Claim claim) {
    granted.remove(claim.token());
    claims.revoke(claim);
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, StoredResponse response, List<Effect> effects) {
    return ifHeld(claim, 0, attempted -> receipts.commit(attempted, response, effects))
        .onSuccess(
            result -> tellIfCompleted(claim, result, () -> Future.succeededFuture(response)));
  }

  @Override
  public boolean runsTransactionsOn(Class<?> connectionType) {
    return receipts.runsTransactionsOn(connectionType);
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, TransactionWork<?> work, List<Effect> effects) {
    // The work may take half the lease.
    return ifHeld(
            claim, claim.leaseMillis() / 2, attempted -> receipts.commit(attempted, work, effects))
        .onSuccess(result -> tellIfCompleted(claim, result, () -> committed(claim)));
  }

  private Future<StoredResponse> committed(Claim claim) {
    return receipts.find(claim.key()).map(found -> found.orElseThrow().response());
  }

  /** Commits if nobody else can be granted the key for so long, or the claim is held. */
  private Future<CompleteResult> ifHeld(
      Claim claim, long millis, Function<Attempted, Future<Receipts.Result>> commit) {
    if (!granted.has(claim)) {
      return hadCompleted(claim);
    }
    if (granted.isSafeFor(claim, millis)) {
      return commit.apply(granted.attempted(claim)).map(result -> result(claim, result));
    }
    return renew(List.of(claim))
        .map(lost -> !lost.contains(claim.token()))
        // Without the claims nobody is granted anything, and the receipt tells who was first.
        .otherwise(true)
        .compose(
            held -> {
              if (held) {
                return commit.apply(granted.attempted(claim)).map(result -> result(claim, result));
              }
              granted.remove(claim.token());
              return hadCompleted(claim);
            });
  }

  /** An end that is sent again, or one that comes too late. */
  private Future<CompleteResult> hadCompleted(Claim claim) {
    return receipts
        .find(claim.key())
        .map(
            found ->
                found
                    .filter(receipt -> receipt.token().equals(claim.token()))
                    .<CompleteResult>map(receipt -> new CompleteResult.Completed(receipt.expiry()))
                    .orElse(LOST));
  }

  private CompleteResult result(Claim claim, Receipts.Result result) {
    if (result instanceof Receipts.Committed committed) {
      granted.ended(claim.token());
      return new CompleteResult.Completed(committed.expiry());
    }
    if (result instanceof Receipts.Taken) {
      revoke(claim);
      return LOST;
    }
    return result instanceof Receipts.Refused refused
        ? new CompleteResult.EffectRefused(refused.which(), refused.detail())
        : new CompleteResult.RolledBack();
  }

  /** Lets the claims know, for those who wait on other nodes. A claim that is lost stays so. */
  private void tellIfCompleted(
      Claim claim, CompleteResult result, Supplier<Future<StoredResponse>> answer) {
    if (result instanceof CompleteResult.Completed && granted.hasEnded(claim.token())) {
      answer
          .get()
          .compose(response -> claims.complete(claim, response, List.of()))
          .onComplete(told -> granted.told(claim.token()));
    }
  }

  @Override
  public Future<ReleaseResult> release(Claim claim) {
    if (granted.hasEnded(claim.token())) {
      return Future.succeededFuture(ReleaseResult.LOST_LEASE);
    }
    return claims.release(claim).onSuccess(released -> granted.remove(claim.token()));
  }

  @Override
  public Future<Set<Token>> renew(List<Claim> held) {
    long askedAtNanos = granted.nowNanos();
    return claims
        .renew(held)
        .map(
            gone -> {
              Set<Token> lost = new HashSet<>(gone);
              for (Claim claim : held) {
                if (granted.hasEnded(claim.token())) {
                  lost.add(claim.token());
                } else if (lost.contains(claim.token())) {
                  granted.lapsed(claim.token());
                } else {
                  granted.renewed(claim, askedAtNanos);
                }
              }
              return Set.copyOf(lost);
            });
  }

  @Override
  public Future<StepResult> recordStep(Claim claim, String name, Buffer result) {
    return granted.hasEnded(claim.token())
        ? Future.succeededFuture(StepResult.LOST_LEASE)
        : claims.recordStep(claim, name, result);
  }

  @Override
  public Future<KeyState> watch(ScopedKey key) {
    // The interest first: a receipt committed after this read is followed by a notice.
    return orReceipt(key, claims.watch(key));
  }

  @Override
  public Future<KeyState> lookup(ScopedKey key) {
    return orReceipt(key, claims.lookup(key));
  }

  private Future<KeyState> orReceipt(ScopedKey key, Future<KeyState> reading) {
    return reading.transform(
        read ->
            read.succeeded() && read.result() instanceof KeyState.Completed
                ? reading
                : receipts
                    .find(key)
                    .compose(
                        found ->
                            found
                                .map(it -> Future.succeededFuture(completed(it)))
                                .orElse(reading)));
  }

  private static KeyState completed(Receipt receipt) {
    return new KeyState.Completed(
        receipt.fingerprint(),
        receipt.outline(),
        receipt.token(),
        receipt.response(),
        receipt.expiry());
  }

  @Override
  public Subscription subscribe(Handler<Notice> handler) {
    return claims.subscribe(handler);
  }

  @Override
  public Future<List<KeyRecord>> records(String tenant, String key, int limit) {
    Future<List<KeyRecord>> known = claims.records(tenant, key, limit);
    Future<List<Receipts.Kept>> kept = receipts.list(tenant, key, limit);
    return Future.join(known, kept)
        .map(joined -> Records.merge(known.result(), kept.result(), limit));
  }

  @Override
  public Future<Integer> purgeExpired(int limit) {
    return receipts
        .purgeExpired(limit)
        .compose(
            removed ->
                removed >= limit
                    ? Future.succeededFuture(removed)
                    : claims.purgeExpired(limit - removed).map(more -> removed + more));
  }

  @Override
  public Future<Void> probe() {
    return Future.all(claims.probe(), receipts.probe()).mapEmpty();
  }
}
