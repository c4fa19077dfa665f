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
 * Ends claims by receipts. The ledger is asked first and decides; what the claims are told
 * afterwards need not arrive. Safe for use by any thread.
 */
final class Completing {

  private static final CompleteResult LOST = new CompleteResult.LostLease();

  private final ClaimStore claims;
  private final Receipts receipts;
  private final Granted granted;

  Completing(ClaimStore claims, Receipts receipts, Granted granted) {
    this.claims = claims;
    this.receipts = receipts;
    this.granted = granted;
  }

  Future<CompleteResult> complete(Claim claim, StoredResponse response, List<Effect> effects) {
    return ifHeld(claim, 0, attempted -> receipts.commit(attempted, response, effects))
        .compose(result -> told(claim, result, () -> Future.succeededFuture(response)));
  }

  Future<CompleteResult> complete(Claim claim, TransactionWork<?> work, List<Effect> effects) {
    // The work may take half the lease.
    long workMillis = claim.leaseMillis() / 2;
    return ifHeld(claim, workMillis, attempted -> receipts.commit(attempted, work, effects))
        .compose(result -> told(claim, result, () -> committed(claim)));
  }

  private Future<StoredResponse> committed(Claim claim) {
    return receipts.find(claim.key()).map(found -> found.orElseThrow().response());
  }

  /** Commits if nobody else can be granted the key for so long, or the claim is held. */
  private Future<CompleteResult> ifHeld(
      Claim claim, long millis, Function<Attempted, Future<Receipts.Result>> commit) {
    if (granted.hasEnded(claim.token())) {
      return hadCompleted(claim);
    }
    if (granted.isSafeFor(claim, millis)) {
      return commit(claim, commit);
    }
    boolean known = granted.has(claim);
    return renew(List.of(claim))
        .transform(
            renewed -> {
              if (renewed.failed()) {
                // Without the claims nobody is granted anything, and the receipt tells who was
                // first.
                return known ? commit(claim, commit) : hadCompletedOr(claim, renewed.cause());
              }
              if (renewed.result().contains(claim.token())) {
                granted.remove(claim.token());
                return hadCompleted(claim);
              }
              return known
                  ? commit(claim, commit)
                  : resumed(claim).compose(done -> commit(claim, commit));
            });
  }

  private Future<CompleteResult> hadCompletedOr(Claim claim, Throwable away) {
    return hadCompleted(claim)
        .compose(
            result ->
                result.equals(LOST) ? Future.failedFuture(away) : Future.succeededFuture(result));
  }

  /** Learns what a claim that is held was granted with: not here, or too long ago. */
  private Future<Void> resumed(Claim claim) {
    long askedAtNanos = granted.nowNanos();
    ClaimRequest again = new ClaimRequest(claim, claim.leaseMillis(), Mode.TAKEOVER, false);
    return Future.join(claims.claim(again), FirstUse.read(claims, claim.key()))
        .map(
            both -> {
              Optional<FirstUse> first = both.resultAt(1);
              if (both.resultAt(0) instanceof Claimed claimed && first.isPresent()) {
                granted.add(claim, claimed, first.get(), askedAtNanos);
              }
              return null;
            });
  }

  private Future<CompleteResult> commit(
      Claim claim, Function<Attempted, Future<Receipts.Result>> commit) {
    return granted
        .attempted(claim)
        .map(attempted -> commit.apply(attempted).map(result -> result(claim, result)))
        .orElseGet(() -> hadCompleted(claim));
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

  /**
   * Lets the claims know, for those who wait on other nodes, and waits until they do: whoever asks
   * them next must not find the claim as it was. A claim that is lost stays so. Where they could
   * not be told, this node goes on knowing it by itself, and tells them when the end is sent again.
   */
  private Future<CompleteResult> told(
      Claim claim, CompleteResult result, Supplier<Future<StoredResponse>> answer) {
    if (!(result instanceof CompleteResult.Completed) || !granted.hasEnded(claim.token())) {
      return Future.succeededFuture(result);
    }
    return answer
        .get()
        .compose(response -> claims.complete(claim, response, List.of()))
        .onSuccess(done -> granted.told(claim.token()))
        .transform(done -> Future.succeededFuture(result));
  }

  /**
   * Takes back a claim beside a receipt, also one that may not have been granted. Left alone,
   * completed or released it would count from its own first use, which is later than that of the
   * receipt, and keep the key longer than callers were told. Nobody waits for it: the receipt is
   * found all the while, and a claim that is not heard to be taken back names the request for that
   * while longer, but holds nobody up past its lease.
   */
  void revoke(Claim claim) {
    granted.remove(claim.token());
    claims.revoke(claim);
  }

  Future<Set<Token>> renew(List<Claim> held) {
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
}
