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
import dev.latchkey.core.spi.PurgeResult;
import dev.latchkey.core.spi.ReleaseResult;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StepResult;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.Subscription;
import dev.latchkey.core.spi.Token;
import dev.latchkey.core.spi.TransactionWork;
import dev.latchkey.store.ClaimStore;
import dev.latchkey.store.Receipt;
import dev.latchkey.store.Receipts;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * A store with claims in one place, and responses and effects in a ledger that keeps {@link
 * Receipts}. The claim store is fast and may forget; the receipt decides. A claim is granted only
 * if the claim store <em>and</em> the receipts permit it. So nothing executes while either is
 * unavailable, and nothing executes again after the claim store has forgotten it. A receipt that
 * has not expired overrides the claim store.
 *
 * <p>A completion commits the receipt first, then updates the claim store. Until that is done, or
 * the lease ends, the receipt is found. Before the commit, the claim store is asked only if the
 * lease may be over. If the lease was lost nevertheless, the first commit wins, and the other owner
 * gets {@link CompleteResult.LostLease}.
 *
 * <p>Keeps the terms of at most {@value ClaimRegistry#MAX_CLAIMS} running claims. Safe for use by
 * any thread. Does not close its parts.
 */
public final class HybridStore implements IdempotencyStore {

  private final ClaimStore claims;
  private final Receipts receipts;
  private final ClaimRegistry registry;
  private final HybridCompletions completions;
  private final HybridGrants grants;

  private HybridStore(ClaimStore claims, Receipts receipts, ClaimRegistry registry) {
    this.claims = claims;
    this.receipts = receipts;
    this.registry = registry;
    completions = new HybridCompletions(claims, receipts, registry);
    grants = new HybridGrants(claims, receipts, registry, completions);
  }

  /**
   * Combines the two.
   *
   * @param claims stores claims, steps and the interest of waiters; its own effects are not used
   * @param receipts of the ledger that effects are written to
   * @return the store
   */
  public static HybridStore create(ClaimStore claims, Receipts receipts) {
    return create(claims, receipts, System::nanoTime, ClaimRegistry.MAX_CLAIMS);
  }

  static HybridStore create(
      ClaimStore claims, Receipts receipts, LongSupplier nanos, int maxClaims) {
    return new HybridStore(claims, receipts, new ClaimRegistry(nanos, maxClaims));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Asks the claim store and the receipts at once. A completed key is replayed even if one of
   * them is unavailable.
   */
  @Override
  public Future<ClaimResult> claim(ClaimRequest request) {
    return grants.claim(request);
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, StoredResponse response, List<Effect> effects) {
    return completions.complete(claim, response, effects);
  }

  @Override
  public boolean runsTransactionsOn(Class<?> connectionType) {
    return receipts.runsTransactionsOn(connectionType);
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, TransactionWork<?> work, List<Effect> effects) {
    return completions.complete(claim, work, effects);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Reads the receipts first. If the key has one, the claim is revoked instead: released, it
   * would outlive the receipt, and a revocation that is under way would come too late.
   */
  @Override
  public Future<ReleaseResult> release(Claim claim) {
    if (registry.hasEnded(claim.token())) {
      return Future.succeededFuture(ReleaseResult.LOST_LEASE);
    }
    return receipts
        .find(claim.key())
        .transform(
            found ->
                found.succeeded() && found.result().isPresent()
                    ? completions.revoke(claim).map(ReleaseResult.LOST_LEASE)
                    : claims.release(claim).onSuccess(done -> registry.remove(claim.token())));
  }

  @Override
  public Future<Set<Token>> renew(List<Claim> held) {
    return completions.renew(held);
  }

  @Override
  public Future<StepResult> recordStep(Claim claim, String name, Buffer result) {
    return registry.hasEnded(claim.token())
        ? Future.succeededFuture(StepResult.LOST_LEASE)
        : claims.recordStep(claim, name, result);
  }

  @Override
  public Future<KeyState> watch(ScopedKey key) {
    // Interest is registered first: a receipt that is committed later causes a notification.
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
  public Future<PurgeResult> purgeExpired(int limit) {
    return receipts
        .purgeExpired(limit)
        .compose(
            first ->
                first.moreRemain() || first.purged() >= limit
                    ? Future.succeededFuture(new PurgeResult(first.purged(), true))
                    : claims
                        .purgeExpired(limit - first.purged())
                        .map(
                            second ->
                                new PurgeResult(
                                    first.purged() + second.purged(), second.moreRemain())));
  }

  @Override
  public Future<Void> probe() {
    return Future.all(claims.probe(), receipts.probe()).mapEmpty();
  }
}
