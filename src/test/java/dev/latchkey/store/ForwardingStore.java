package dev.latchkey.store;

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
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Set;

/** A store in front of another, to be broken by whoever extends it. */
public class ForwardingStore implements IdempotencyStore {

  private final IdempotencyStore behind;

  protected ForwardingStore(IdempotencyStore behind) {
    this.behind = behind;
  }

  @Override
  public Future<ClaimResult> claim(ClaimRequest request) {
    return behind.claim(request);
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, StoredResponse response, List<Effect> effects) {
    return behind.complete(claim, response, effects);
  }

  @Override
  public boolean runsTransactionsOn(Class<?> connectionType) {
    return behind.runsTransactionsOn(connectionType);
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, TransactionWork<?> work, List<Effect> effects) {
    return behind.complete(claim, work, effects);
  }

  @Override
  public Future<ReleaseResult> release(Claim claim) {
    return behind.release(claim);
  }

  @Override
  public Future<Set<Token>> renew(List<Claim> claims) {
    return behind.renew(claims);
  }

  @Override
  public Future<StepResult> recordStep(Claim claim, String name, Buffer result) {
    return behind.recordStep(claim, name, result);
  }

  @Override
  public Future<KeyState> watch(ScopedKey key) {
    return behind.watch(key);
  }

  @Override
  public Future<KeyState> lookup(ScopedKey key) {
    return behind.lookup(key);
  }

  @Override
  public Subscription subscribe(Handler<Notification> handler) {
    return behind.subscribe(handler);
  }

  @Override
  public Future<List<KeyRecord>> records(String tenant, String key, int limit) {
    return behind.records(tenant, key, limit);
  }

  @Override
  public Future<PurgeResult> purgeExpired(int limit) {
    return behind.purgeExpired(limit);
  }

  @Override
  public Future<Void> probe() {
    return behind.probe();
  }
}
