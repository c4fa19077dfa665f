package dev.latchkey.web.impl;

import dev.latchkey.core.IdempotencyListener;
import dev.latchkey.core.IdempotencyListener.StoreCall;
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
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.Subscription;
import dev.latchkey.core.spi.Token;
import dev.latchkey.core.spi.TransactionWork;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Reports every call of a store to a listener. An exception thrown by the store fails the call. */
final class MeteredStore implements IdempotencyStore {

  private final IdempotencyStore store;
  private final IdempotencyListener listener;

  MeteredStore(IdempotencyStore store, IdempotencyListener listener) {
    this.store = store;
    this.listener = listener;
  }

  private <T> Future<T> metered(String operation, Supplier<Future<T>> call) {
    long fromNanos = System.nanoTime();
    Future<T> result;
    try {
      result = call.get();
    } catch (RuntimeException thrown) {
      result =
          Future.failedFuture(
              new StoreException(
                  StoreException.Outcome.UNKNOWN, operation + ": the store threw", thrown));
    }
    return result.onComplete(
        ended -> listener.storeCalled(operation, resultOf(ended), System.nanoTime() - fromNanos));
  }

  private static StoreCall resultOf(AsyncResult<?> ended) {
    if (ended.succeeded()) {
      return StoreCall.OK;
    }
    return ended.cause() instanceof StoreException failure
            && failure.outcome() == StoreException.Outcome.NOT_DONE
        ? StoreCall.NOT_DONE
        : StoreCall.UNKNOWN;
  }

  @Override
  public Future<ClaimResult> claim(ClaimRequest request) {
    return metered("claim", () -> store.claim(request));
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, StoredResponse response, List<Effect> effects) {
    return metered("complete", () -> store.complete(claim, response, effects));
  }

  @Override
  public boolean runsTransactionsOn(Class<?> connectionType) {
    return store.runsTransactionsOn(connectionType);
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, TransactionWork<?> work, List<Effect> effects) {
    return metered("complete", () -> store.complete(claim, work, effects));
  }

  @Override
  public Future<ReleaseResult> release(Claim claim) {
    return metered("release", () -> store.release(claim));
  }

  @Override
  public Future<Set<Token>> renew(List<Claim> claims) {
    return metered("renew", () -> store.renew(claims));
  }

  @Override
  public Future<StepResult> recordStep(Claim claim, String name, Buffer result) {
    return metered("recordStep", () -> store.recordStep(claim, name, result));
  }

  @Override
  public Future<KeyState> watch(ScopedKey key) {
    return metered("watch", () -> store.watch(key));
  }

  @Override
  public Future<KeyState> lookup(ScopedKey key) {
    return metered("lookup", () -> store.lookup(key));
  }

  @Override
  public Subscription subscribe(Handler<Notification> handler) {
    return store.subscribe(handler);
  }

  @Override
  public Future<List<KeyRecord>> records(String tenant, String key, int limit) {
    return metered("records", () -> store.records(tenant, key, limit));
  }

  @Override
  public Future<PurgeResult> purgeExpired(int limit) {
    return metered("purgeExpired", () -> store.purgeExpired(limit));
  }

  @Override
  public Future<Void> probe() {
    return metered("probe", store::probe);
  }
}
