package dev.latchkey.payments;

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
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Set;

/** A store that nobody can reach: whatever is answered all the same needed no claim. */
final class UnreachableStore implements IdempotencyStore {

  @Override
  public Future<ClaimResult> claim(ClaimRequest request) {
    return away();
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, StoredResponse response, List<Effect> effects) {
    return away();
  }

  @Override
  public Future<ReleaseResult> release(Claim claim) {
    return away();
  }

  @Override
  public Future<Set<Token>> renew(List<Claim> claims) {
    return away();
  }

  @Override
  public Future<StepResult> recordStep(Claim claim, String name, Buffer result) {
    return away();
  }

  @Override
  public Future<KeyState> watch(ScopedKey key) {
    return away();
  }

  @Override
  public Future<KeyState> lookup(ScopedKey key) {
    return away();
  }

  @Override
  public Subscription subscribe(Handler<Notification> handler) {
    return () -> {};
  }

  @Override
  public Future<List<KeyRecord>> records(String tenant, String key, int limit) {
    return away();
  }

  @Override
  public Future<PurgeResult> purgeExpired(int limit) {
    return away();
  }

  @Override
  public Future<Void> probe() {
    return away();
  }

  private static <T> Future<T> away() {
    return Future.failedFuture(
        new StoreException(StoreException.Outcome.NOT_DONE, "store: connection refused"));
  }
}
