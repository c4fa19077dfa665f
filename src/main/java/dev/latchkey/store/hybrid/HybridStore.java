package dev.latchkey.store.hybrid;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.Notification;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.ReleaseResult;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StepResult;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.Subscription;
import dev.latchkey.core.spi.Token;
import dev.latchkey.core.spi.TransactionWork;
import dev.latchkey.store.ClaimStore;
import dev.latchkey.store.Receipt;
import dev.latchkey.store.Receipts;
import io.vertx.core.AsyncResult;
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
 * need not be heard: until they know, or their lease ends, everybody finds the receipt. Whether the
 * claim is still held is asked before the commit only where its lease may be over. Were it lost all
 * the same, the receipt decides: of two owners the first to commit is right, and the other is told
 * {@link CompleteResult.LostLease}.
 *
 * <p>Keeps the terms of at most {@value Granted#MAX_CLAIMS} running claims; safe for use by any
 * thread; closes neither of its parts.
 */
public final class HybridStore implements IdempotencyStore {

  private final ClaimStore claims;
  private final Receipts receipts;
  private final Granted granted;
  private final Completing completing;

  private HybridStore(ClaimStore claims, Receipts receipts, Granted granted) {
    this.claims = claims;
    this.receipts = receipts;
    this.granted = granted;
    completing = new Completing(claims, receipts, granted);
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
   * <p>Asks both at once. What is completed is answered also while one of them is away, and at once
   * where the receipt says so.
   */
  @Override
  public Future<ClaimResult> claim(ClaimRequest request) {
    long askedAtNanos = granted.nowNanos();
    Future<ClaimResult> claiming = claims.claim(request);
    Future<Optional<Receipt>> finding = receipts.find(request.claim().key());
    return finding
        .<ClaimResult>transform(
            found ->
                found.succeeded() && found.result().isPresent()
                    ? answered(request.claim(), claiming, found.result().get())
                    : claiming.transform(
                        claimed -> unanswered(request, claiming, found, askedAtNanos)))
        .onComplete(done -> note(request.claim().token(), done, askedAtNanos));
  }

  /** Nothing that the claims say can change it, so nobody waits for them to say it. */
  private Future<ClaimResult> answered(Claim claim, Future<ClaimResult> claiming, Receipt receipt) {
    claiming.onComplete(
        claimed -> {
          if (mayBeClaimed(claiming)) {
            completing.revoke(claim);
          }
        });
    return Future.succeededFuture(byReceipt(claim, receipt));
  }

  private Future<ClaimResult> unanswered(
      ClaimRequest request,
      Future<ClaimResult> claiming,
      AsyncResult<Optional<Receipt>> found,
      long askedAtNanos) {
    return found.failed() && !isCompleted(claiming)
        ? Future.failedFuture(withoutLedger(claiming, found.cause()))
        : claiming.compose(result -> remember(request, result, askedAtNanos));
  }

  private void note(Token token, AsyncResult<ClaimResult> done, long askedAtNanos) {
    if (done.succeeded()) {
      granted.heard(token);
    } else if (mayBeDone(done.cause())) {
      granted.unheard(token, askedAtNanos);
    }
  }

  /** The claims are told of an end after its commit alone, so what they say of one is true. */
  private static boolean isCompleted(Future<ClaimResult> claiming) {
    return claiming.succeeded()
        && (claiming.result() instanceof ClaimResult.Completed
            || (claiming.result() instanceof ClaimResult.Mismatch mismatch
                && mismatch.phase() == Phase.COMPLETED));
  }

  /** Whether the claim was granted, as far as anybody can tell. */
  private static boolean mayBeClaimed(Future<ClaimResult> claiming) {
    return claiming.succeeded()
        ? claiming.result() instanceof ClaimResult.Claimed
        : mayBeDone(claiming.cause());
  }

  private static boolean mayBeDone(Throwable failure) {
    return !(failure instanceof StoreException known) || known.outcome() == Outcome.UNKNOWN;
  }

  private static StoreException withoutLedger(Future<ClaimResult> claiming, Throwable cause) {
    return new StoreException(
        mayBeClaimed(claiming) ? Outcome.UNKNOWN : Outcome.NOT_DONE,
        "claim: the ledger's receipts cannot be read: " + cause.getMessage(),
        cause);
  }

  private Future<ClaimResult> remember(
      ClaimRequest request, ClaimResult result, long askedAtNanos) {
    if (!(result instanceof ClaimResult.Claimed claimed)) {
      return Future.succeededFuture(result);
    }
    Claim claim = request.claim();
    if (!granted.hasRoom(claim)) {
      claims.release(claim);
      return Future.succeededFuture(new ClaimResult.Full());
    }
    if (claimed.attempt() == 1) {
      granted.add(claim, claimed, FirstUse.of(request, claimed), askedAtNanos);
      return Future.succeededFuture(claimed);
    }
    // An owner before this one may have committed since the receipts were read.
    return Future.join(FirstUse.read(claims, claim.key()), receipts.find(claim.key()))
        .transform(
            read -> {
              if (read.failed()) {
                return Future.failedFuture(
                    new StoreException(Outcome.UNKNOWN, "claim: " + read.cause().getMessage()));
              }
              Optional<FirstUse> first = read.result().resultAt(0);
              Optional<Receipt> receipt = read.result().resultAt(1);
              if (receipt.isPresent()) {
                completing.revoke(claim);
                return Future.succeededFuture(byReceipt(claim, receipt.get()));
              }
              granted.add(
                  claim,
                  claimed,
                  first.orElseGet(() -> FirstUse.of(request, claimed)),
                  askedAtNanos);
              return Future.succeededFuture(claimed);
            });
  }

  /** The key has its answer, whatever the claims know of it. */
  private static ClaimResult byReceipt(Claim claim, Receipt receipt) {
    return receipt.fingerprint().equals(claim.fingerprint())
        ? new ClaimResult.Completed(receipt.response(), receipt.expiry())
        : new ClaimResult.Mismatch(
            Phase.COMPLETED, receipt.fingerprint(), Optional.of(receipt.expiry()));
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, StoredResponse response, List<Effect> effects) {
    return completing.complete(claim, response, effects);
  }

  @Override
  public boolean runsTransactionsOn(Class<?> connectionType) {
    return receipts.runsTransactionsOn(connectionType);
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, TransactionWork<?> work, List<Effect> effects) {
    return completing.complete(claim, work, effects);
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
    return completing.renew(held);
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
        receipt.fingerprint(), receipt.token(), receipt.response(), receipt.expiry());
  }

  @Override
  public Subscription subscribe(Handler<Notification> handler) {
    return claims.subscribe(handler);
  }

  @Override
  public Future<List<KeyRecord>> records(String tenant, String key, int limit) {
    Future<List<KeyRecord>> known = claims.records(tenant, key, limit);
    Future<List<Receipts.Kept>> kept = receipts.list(tenant, key, limit);
    return Future.join(known, kept)
        .map(joined -> MergedRecords.of(known.result(), kept.result(), limit));
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
