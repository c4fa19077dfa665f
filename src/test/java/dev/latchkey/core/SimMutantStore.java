package dev.latchkey.core;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimRequest.Mode;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.CompleteResult.LostLease;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.Notification;
import dev.latchkey.core.spi.PurgeResult;
import dev.latchkey.core.spi.ReleaseResult;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StepResult;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.Subscription;
import dev.latchkey.core.spi.Token;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Plants engine bugs between the real engine and its store: changes calls and results to those of a
 * buggy engine.
 */
final class SimMutantStore implements IdempotencyStore {

  private final SimWorld world;
  private final IdempotencyStore store;

  /** Keys in which this node registered interest; a notification ends it. */
  private final Set<ScopedKey> watched = new HashSet<>();

  SimMutantStore(SimWorld world, IdempotencyStore store) {
    this.world = world;
    this.store = store;
  }

  @Override
  public Future<ClaimResult> claim(ClaimRequest request) {
    return switch (world.script.mutant()) {
      case GHOST_LEFT ->
          store
              .claim(request)
              .recover(
                  failure ->
                      Future.failedFuture(
                          new StoreException(Outcome.NOT_DONE, failure.getMessage())));
      case LOST_OWNER_IS_RUN_AGAIN -> store.claim(request.withMode(Mode.ARRIVAL));
      case REPLAY_AFTER_EXPIRY ->
          store
              .claim(request)
              .map(
                  result ->
                      result instanceof ClaimResult.Completed done
                          ? new ClaimResult.Completed(done.response(), never(done.expiry()))
                          : result);
      default -> store.claim(request);
    };
  }

  private static Expiry never(Expiry expiry) {
    return new Expiry(expiry.atEpochMillis(), Long.MAX_VALUE);
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, StoredResponse response, List<Effect> effects) {
    Expiry soon = new Expiry(0, 60_000);
    Future<CompleteResult> completing = store.complete(claim, response, effects);
    return switch (world.script.mutant()) {
      case ANSWER_BEFORE_COMMIT -> Future.succeededFuture(new CompleteResult.Completed(soon));
      case READ_BACK_RELEASES -> completing.recover(failure -> readBack(claim, failure));
      case UNKNOWN_TAKEN_FOR_DONE ->
          completing.recover(
              failure ->
                  ((StoreException) failure).outcome() == Outcome.UNKNOWN
                      ? Future.succeededFuture(new CompleteResult.Completed(soon))
                      : Future.failedFuture(failure));
      case DEMOTED_OWNER_ANSWERS ->
          completing.map(it -> it instanceof LostLease ? new CompleteResult.Completed(soon) : it);
      case REFUSAL_TAKEN_FOR_DONE ->
          completing.map(
              it -> it instanceof EffectRefused ? new CompleteResult.Completed(soon) : it);
      case REPLAY_AFTER_EXPIRY ->
          completing.map(
              it ->
                  it instanceof CompleteResult.Completed done
                      ? new CompleteResult.Completed(never(done.expiry()))
                      : it);
      default -> completing;
    };
  }

  private Future<CompleteResult> readBack(Claim claim, Throwable failure) {
    return store
        .lookup(claim.key())
        .compose(
            state ->
                state instanceof KeyState.InProgress owner && owner.token().equals(claim.token())
                    ? store.release(claim).map(new LostLease())
                    : Future.failedFuture(failure));
  }

  @Override
  public Future<ReleaseResult> release(Claim claim) {
    return world.has(SimMutant.RELEASE_SWALLOWED)
        ? Future.succeededFuture(ReleaseResult.RELEASED)
        : store.release(claim);
  }

  @Override
  public Future<Set<Token>> renew(List<Claim> claims) {
    return world.has(SimMutant.RENEWAL_SWALLOWED)
        ? Future.succeededFuture(Set.of())
        : store.renew(claims);
  }

  @Override
  public Future<KeyState> watch(ScopedKey key) {
    if (world.has(SimMutant.INTEREST_DROPPED_AT_TAKEOVER) && !watched.add(key)) {
      return lookup(key);
    }
    if (!world.has(SimMutant.READ_BEFORE_WATCH)) {
      return store.watch(key);
    }
    return store.lookup(key).compose(read -> store.watch(key).map(read));
  }

  @Override
  public Future<StepResult> recordStep(Claim claim, String name, Buffer result) {
    return store.recordStep(claim, name, result);
  }

  @Override
  public Future<KeyState> lookup(ScopedKey key) {
    return store
        .lookup(key)
        .onSuccess(
            state -> {
              if (!(state instanceof KeyState.InProgress)) {
                watched.remove(key);
              }
            });
  }

  @Override
  public Subscription subscribe(Handler<Notification> handler) {
    return store.subscribe(handler);
  }

  @Override
  public Future<List<KeyRecord>> records(String tenant, String key, int limit) {
    return store.records(tenant, key, limit);
  }

  @Override
  public Future<PurgeResult> purgeExpired(int limit) {
    return store.purgeExpired(limit);
  }

  @Override
  public Future<Void> probe() {
    return store.probe();
  }
}
