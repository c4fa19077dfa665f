package dev.latchkey.store.hybrid;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.core.spi.Token;
import dev.latchkey.store.ClaimStore;
import dev.latchkey.store.Receipt;
import dev.latchkey.store.Receipts;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Grants claims. The claim store and the receipts must both permit an attempt before it executes.
 * Safe for use by any thread.
 */
final class HybridGrants {

  /** How long after a claim was requested the receipts read with it may decide. */
  static final long RECEIPT_VALID_MILLIS = 50;

  private final ClaimStore claims;
  private final Receipts receipts;
  private final ClaimRegistry registry;
  private final HybridCompletions completions;

  HybridGrants(
      ClaimStore claims, Receipts receipts, ClaimRegistry registry, HybridCompletions completions) {
    this.claims = claims;
    this.receipts = receipts;
    this.registry = registry;
    this.completions = completions;
  }

  /** Claims a key; see {@link HybridStore#claim}. */
  Future<ClaimResult> claim(ClaimRequest request) {
    long requestedAtNanos = registry.nowNanos();
    Future<ClaimResult> claiming = claims.claim(request);
    Future<Optional<Receipt>> finding = receipts.find(request.claim().key());
    return finding
        .<ClaimResult>transform(
            found ->
                found.succeeded() && found.result().isPresent()
                    ? byReceipt(request.claim(), claiming, found.result().get())
                    : claiming.transform(
                        claimed -> byClaim(request, claiming, found, requestedAtNanos)))
        .onComplete(done -> recordOutcome(request.claim().token(), done, requestedAtNanos));
  }

  /** The receipt decides, so this does not wait for the claim store. */
  private Future<ClaimResult> byReceipt(
      Claim claim, Future<ClaimResult> claiming, Receipt receipt) {
    claiming.onComplete(
        claimed -> {
          if (mayBeClaimed(claiming)) {
            completions.revoke(claim);
          }
        });
    return Future.succeededFuture(result(claim, receipt));
  }

  private Future<ClaimResult> byClaim(
      ClaimRequest request,
      Future<ClaimResult> claiming,
      AsyncResult<Optional<Receipt>> found,
      long requestedAtNanos) {
    return found.failed() && !isCompleted(claiming)
        ? Future.failedFuture(withoutLedger(claiming, found.cause()))
        : claiming.compose(result -> granted(request, result, requestedAtNanos));
  }

  private void recordOutcome(Token token, AsyncResult<ClaimResult> done, long requestedAtNanos) {
    if (done.succeeded()) {
      registry.resultKnown(token);
    } else if (mayBeDone(done.cause())) {
      registry.resultUnknown(token, requestedAtNanos);
    }
  }

  /**
   * The claim store learns of a completion only after its commit, so this is true if it says so.
   */
  private static boolean isCompleted(Future<ClaimResult> claiming) {
    return claiming.succeeded()
        && (claiming.result() instanceof ClaimResult.Completed
            || (claiming.result() instanceof ClaimResult.Mismatch mismatch
                && mismatch.phase() == Phase.COMPLETED));
  }

  /** Whether the claim was granted, or may have been. */
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

  private Future<ClaimResult> granted(
      ClaimRequest request, ClaimResult result, long requestedAtNanos) {
    if (!(result instanceof ClaimResult.Claimed claimed)) {
      return Future.succeededFuture(result);
    }
    Claim claim = request.claim();
    if (!registry.hasRoom(claim)) {
      claims.release(claim);
      return Future.succeededFuture(new ClaimResult.Full());
    }
    Optional<FirstUse> own =
        claimed.attempt() == 1 ? Optional.of(FirstUse.of(request, claimed)) : Optional.empty();
    long elapsedNanos = registry.nowNanos() - requestedAtNanos;
    if (own.isPresent() && elapsedNanos <= TimeUnit.MILLISECONDS.toNanos(RECEIPT_VALID_MILLIS)) {
      registry.add(claim, claimed, own.get(), requestedAtNanos);
      return Future.succeededFuture(claimed);
    }
    // Another owner may have committed after the receipts were read.
    Future<Optional<FirstUse>> reading =
        own.isPresent() ? Future.succeededFuture(own) : FirstUse.read(claims, claim.key());
    return Future.join(reading, receipts.find(claim.key()))
        .transform(
            read -> {
              if (read.failed()) {
                return Future.failedFuture(
                    new StoreException(Outcome.UNKNOWN, "claim: " + read.cause().getMessage()));
              }
              Optional<FirstUse> first = read.result().resultAt(0);
              Optional<Receipt> receipt = read.result().resultAt(1);
              if (receipt.isPresent()) {
                completions.revoke(claim);
                return Future.succeededFuture(result(claim, receipt.get()));
              }
              registry.add(
                  claim,
                  claimed,
                  first.orElseGet(() -> FirstUse.of(request, claimed)),
                  requestedAtNanos);
              return Future.succeededFuture(claimed);
            });
  }

  /** The result of a key with a receipt, which overrides the claim store. */
  private static ClaimResult result(Claim claim, Receipt receipt) {
    return receipt.fingerprint().equals(claim.fingerprint())
        ? new ClaimResult.Completed(receipt.response(), receipt.expiry())
        : new ClaimResult.Mismatch(
            Phase.COMPLETED, receipt.fingerprint(), Optional.of(receipt.expiry()));
  }
}
