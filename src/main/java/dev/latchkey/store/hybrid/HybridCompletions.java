package dev.latchkey.store.hybrid;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimRequest.Mode;
import dev.latchkey.core.spi.ClaimResult.Claimed;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.Token;
import dev.latchkey.core.spi.TransactionWork;
import dev.latchkey.store.ClaimStore;
import dev.latchkey.store.Receipts;
import dev.latchkey.store.Receipts.Attempted;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Completes and renews claims. The commit of the receipt decides. The claim store is updated
 * afterwards, and this update may fail. Safe for use by any thread.
 */
final class HybridCompletions {

  private static final CompleteResult LOST = new CompleteResult.LostLease();

  private final ClaimStore claims;
  private final Receipts receipts;
  private final ClaimRegistry registry;

  HybridCompletions(ClaimStore claims, Receipts receipts, ClaimRegistry registry) {
    this.claims = claims;
    this.receipts = receipts;
    this.registry = registry;
  }

  Future<CompleteResult> complete(Claim claim, StoredResponse response, List<Effect> effects) {
    return ifHeld(claim, 0, attempted -> receipts.commit(attempted, response, effects))
        .compose(result -> updateClaims(claim, result, () -> Future.succeededFuture(response)));
  }

  Future<CompleteResult> complete(Claim claim, TransactionWork<?> work, List<Effect> effects) {
    // The work may take half the lease.
    long workMillis = claim.leaseMillis() / 2;
    return ifHeld(claim, workMillis, attempted -> receipts.commit(attempted, work, effects))
        .compose(result -> updateClaims(claim, result, () -> committed(claim)));
  }

  private Future<StoredResponse> committed(Claim claim) {
    return receipts.find(claim.key()).map(found -> found.orElseThrow().response());
  }

  /** Commits if the claim is held, or if its lease certainly lasts this long. */
  private Future<CompleteResult> ifHeld(
      Claim claim, long millis, Function<Attempted, Future<Receipts.Result>> commit) {
    if (registry.hasEnded(claim.token())) {
      return hadCompleted(claim);
    }
    if (registry.isSafeFor(claim, millis)) {
      return commit(claim, commit);
    }
    boolean known = registry.has(claim);
    return renew(List.of(claim))
        .transform(
            renewed -> {
              if (renewed.failed()) {
                // Without the claim store nothing is granted, and the first receipt decides.
                return known ? commit(claim, commit) : hadCompletedOr(claim, renewed.cause());
              }
              if (renewed.result().contains(claim.token())) {
                registry.remove(claim.token());
                return hadCompleted(claim);
              }
              return known
                  ? commit(claim, commit)
                  : resumed(claim).compose(done -> commit(claim, commit));
            });
  }

  private Future<CompleteResult> hadCompletedOr(Claim claim, Throwable failure) {
    return hadCompleted(claim)
        .compose(
            result ->
                result.equals(LOST)
                    ? Future.failedFuture(failure)
                    : Future.succeededFuture(result));
  }

  /** Reads the terms of a held claim that was not granted to this node, or too long ago. */
  private Future<Void> resumed(Claim claim) {
    long requestedAtNanos = registry.nowNanos();
    ClaimRequest repeated = new ClaimRequest(claim, claim.leaseMillis(), Mode.TAKEOVER, false);
    return Future.join(claims.claim(repeated), FirstUse.read(claims, claim.key()))
        .map(
            both -> {
              Optional<FirstUse> first = both.resultAt(1);
              if (both.resultAt(0) instanceof Claimed claimed && first.isPresent()) {
                registry.add(claim, claimed, first.get(), requestedAtNanos);
              }
              return null;
            });
  }

  private Future<CompleteResult> commit(
      Claim claim, Function<Attempted, Future<Receipts.Result>> commit) {
    return registry
        .attempted(claim)
        .map(attempted -> commit.apply(attempted).map(result -> result(claim, result)))
        .orElseGet(() -> hadCompleted(claim));
  }

  /** The result of a repeated completion, or of one that is too late. */
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
      registry.ended(claim.token());
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

  /**
   * Updates the claim store, which notifies waiters on other nodes, and waits for it: the next
   * request must not find the claim in progress. If the update fails, this node remembers the end,
   * and a repeated completion updates the claim store again.
   */
  private Future<CompleteResult> updateClaims(
      Claim claim, CompleteResult result, Supplier<Future<StoredResponse>> committed) {
    if (!(result instanceof CompleteResult.Completed) || !registry.hasEnded(claim.token())) {
      return Future.succeededFuture(result);
    }
    return committed
        .get()
        .compose(response -> claims.complete(claim, response, List.of()))
        .onSuccess(
            done -> {
              registry.removeEnded(claim.token());
              if (done.equals(LOST)) {
                // The claim store forgot the key: notifies its waiters nevertheless.
                claims.revoke(claim);
              }
            })
        .transform(done -> Future.succeededFuture(result));
  }

  /**
   * Removes a claim, granted or not, whose key has a receipt. Its first use is later than that of
   * the receipt, so it would keep the key longer than callers know. Callers do not wait for the
   * removal: the receipt decides meanwhile, and a claim that remains is void after its lease.
   */
  Future<Boolean> revoke(Claim claim) {
    registry.remove(claim.token());
    return claims.revoke(claim);
  }

  Future<Set<Token>> renew(List<Claim> held) {
    long requestedAtNanos = registry.nowNanos();
    return claims
        .renew(held)
        .map(
            gone -> {
              Set<Token> lost = new HashSet<>(gone);
              for (Claim claim : held) {
                if (registry.hasEnded(claim.token())) {
                  lost.add(claim.token());
                } else if (lost.contains(claim.token())) {
                  registry.leaseLost(claim.token());
                } else {
                  registry.renewed(claim, requestedAtNanos);
                }
              }
              return Set.copyOf(lost);
            });
  }
}
