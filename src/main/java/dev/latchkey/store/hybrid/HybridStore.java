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
import dev.latchkey.idempotency.spi.Outline;
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
import dev.latchkey.store.Receipt;
import dev.latchkey.store.Receipts;
import dev.latchkey.store.Receipts.Attempted;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Claims in one store, answers and effects in a ledger that keeps {@link Receipts}. Claims are
 * cheap and may be forgotten; what was answered is decided by the receipt alone. A claim is granted
 * only when the claims <em>and</em> the receipts say go, so that nothing runs while either is away,
 * and nothing runs again that the claims forgot. A live receipt beats whatever the claims say.
 *
 * <p>A completion commits the receipt first; that is the answer. The claims are told afterwards and
 * need not be heard: until they know, or their lease ends, everybody finds the receipt.
 *
 * <p>Keeps the terms of at most {@value Granted#MAX_CLAIMS} running claims; safe for use by any
 * thread; closes neither of its parts.
 */
public final class HybridStore implements IdempotencyStore {

  private final IdempotencyStore claims;
  private final Receipts receipts;
  private final Granted granted;

  private HybridStore(IdempotencyStore claims, Receipts receipts, Granted granted) {
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
  public static HybridStore create(IdempotencyStore claims, Receipts receipts) {
    return create(claims, receipts, System::nanoTime, Granted.MAX_CLAIMS);
  }

  static HybridStore create(
      IdempotencyStore claims, Receipts receipts, LongSupplier nanos, int maxClaims) {
    return new HybridStore(claims, receipts, new Granted(nanos, maxClaims));
  }

  @Override
  public Future<ClaimResult> claim(ClaimRequest request) {
    long askedAtNanos = granted.nowNanos();
    Future<ClaimResult> claiming = claims.claim(request);
    Future<Optional<Receipt>> finding = receipts.find(request.claim().key());
    return Future.join(claiming, finding)
        .transform(
            joined -> {
              if (finding.failed()) {
                return Future.failedFuture(
                    notSure("claim", finding.cause(), !claiming.failed() || isUnknown(claiming)));
              }
              Optional<Receipt> receipt = finding.result();
              if (receipt.isPresent()) {
                return Future.succeededFuture(byReceipt(request.claim(), receipt.get(), claiming));
              }
              return claiming.compose(
                  result -> Future.succeededFuture(remember(request, result, askedAtNanos)));
            });
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
    boolean same = receipt.fingerprint().equals(claim.fingerprint());
    if (claiming.succeeded() && claiming.result() instanceof ClaimResult.Claimed) {
      // They forgot. Those who wait there are told by this.
      if (same) {
        claims.complete(claim, receipt.response(), List.of());
      } else {
        claims.release(claim);
      }
    }
    return same
        ? new ClaimResult.Completed(receipt.response(), receipt.expiry())
        : new ClaimResult.Mismatch(
            Phase.COMPLETED, receipt.outline(), Optional.of(receipt.expiry()));
  }

  private static boolean isUnknown(Future<?> failed) {
    return !(failed.cause() instanceof StoreException known) || known.outcome() == Outcome.UNKNOWN;
  }

  private static StoreException notSure(String operation, Throwable cause, boolean mayHaveClaimed) {
    return new StoreException(
        mayHaveClaimed ? Outcome.UNKNOWN : Outcome.NOT_DONE,
        operation + ": the ledger's receipts cannot be read: " + cause.getMessage(),
        cause);
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, StoredResponse response, List<Effect> effects) {
    return receipts
        .commit(attempted(claim), response, effects)
        .map(result -> completed(claim, result, response));
  }

  @Override
  public boolean runsTransactionsOn(Class<?> connectionType) {
    return receipts.runsTransactionsOn(connectionType);
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, TransactionWork<?> work, List<Effect> effects) {
    Remembered<?> remembered = new Remembered<>(work);
    return receipts
        .commit(attempted(claim), remembered, effects)
        .compose(
            result -> {
              if (!(result instanceof Receipts.Committed) || remembered.answer.isPresent()) {
                return Future.succeededFuture(
                    completed(claim, result, remembered.answer.orElse(NONE)));
              }
              // Committed by an earlier sending: the claims are told what that one answered.
              return receipts
                  .find(claim.key())
                  .map(
                      found -> completed(claim, result, found.map(Receipt::response).orElse(NONE)));
            });
  }

  private static final StoredResponse NONE = StoredResponse.notRetained(500, Optional.empty());

  /** Knows what the work answered. */
  private static final class Remembered<C> implements TransactionWork<C> {
    private final TransactionWork<C> work;
    private volatile Optional<StoredResponse> answer = Optional.empty();

    Remembered(TransactionWork<C> work) {
      this.work = work;
    }

    @Override
    public Class<C> connectionType() {
      return work.connectionType();
    }

    @Override
    public Future<Optional<StoredResponse>> run(C connection) {
      return work.run(connection).onSuccess(made -> answer = made);
    }
  }

  private Attempted attempted(Claim claim) {
    return granted.find(claim).orElseGet(() -> new Attempted(claim, Outline.EMPTY, 1, 0, 0, 0));
  }

  private CompleteResult completed(Claim claim, Receipts.Result result, StoredResponse response) {
    if (result instanceof Receipts.Committed committed) {
      granted.remove(claim.token());
      claims.complete(claim, response, List.of());
      return new CompleteResult.Completed(committed.expiry());
    }
    if (result instanceof Receipts.Taken taken) {
      granted.remove(claim.token());
      Receipt first = taken.receipt();
      if (first.fingerprint().equals(claim.fingerprint())) {
        claims.complete(claim, first.response(), List.of());
      } else {
        claims.release(claim);
      }
      return new CompleteResult.LostLease();
    }
    if (result instanceof Receipts.Refused refused) {
      return new CompleteResult.EffectRefused(refused.which(), refused.detail());
    }
    return new CompleteResult.RolledBack();
  }

  @Override
  public Future<ReleaseResult> release(Claim claim) {
    return claims.release(claim).onSuccess(released -> granted.remove(claim.token()));
  }

  @Override
  public Future<Set<Token>> renew(List<Claim> held) {
    return claims.renew(held);
  }

  @Override
  public Future<StepResult> recordStep(Claim claim, String name, Buffer result) {
    return claims.recordStep(claim, name, result);
  }

  @Override
  public Future<KeyState> watch(ScopedKey key) {
    // The interest first: a receipt committed after this read is followed by a notice.
    return claims.watch(key).compose(state -> orReceipt(key, state));
  }

  @Override
  public Future<KeyState> lookup(ScopedKey key) {
    return claims.lookup(key).compose(state -> orReceipt(key, state));
  }

  private Future<KeyState> orReceipt(ScopedKey key, KeyState state) {
    return receipts
        .find(key)
        .map(found -> found.<KeyState>map(HybridStore::completed).orElse(state));
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
