package dev.latchkey.store.hybrid;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.Token;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.store.ClaimStore;
import dev.latchkey.store.ForgetfulStore;
import dev.latchkey.store.ForwardingStore;
import dev.latchkey.store.memory.EffectTarget;
import dev.latchkey.store.memory.MemoryStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

/** A claim store in memory that forgets everything, or is unavailable, on demand. */
final class ForgetfulClaims extends ForwardingStore implements ClaimStore {

  private static final long BUDGET_BYTES = 64 << 20;

  private final ForgetfulStore forgetful;
  private final AtomicReference<MemoryStore> present;
  private volatile boolean away;
  private volatile boolean deaf;
  private volatile boolean mute;
  private volatile boolean silent;
  private volatile boolean slow;
  private final Queue<Runnable> held = new ConcurrentLinkedQueue<>();

  static ForgetfulClaims create(InstantSource clock) {
    AtomicReference<MemoryStore> present = new AtomicReference<>();
    ForgetfulStore forgetful =
        new ForgetfulStore(
            () -> {
              MemoryBudget budget = new MemoryBudget(BUDGET_BYTES);
              MemoryStore fresh = MemoryStore.create(budget, EffectTarget.NONE, clock);
              present.set(fresh);
              return fresh;
            });
    return new ForgetfulClaims(forgetful, present);
  }

  private ForgetfulClaims(ForgetfulStore forgetful, AtomicReference<MemoryStore> present) {
    super(forgetful.store());
    this.forgetful = forgetful;
    this.present = present;
  }

  @Override
  public Future<ClaimResult> claim(ClaimRequest request) {
    if (away) {
      return lost();
    }
    if (silent) {
      Promise<ClaimResult> late = Promise.promise();
      held.add(() -> super.claim(request).onComplete(late));
      return late.future();
    }
    Future<ClaimResult> claiming = super.claim(request);
    if (slow) {
      Promise<ClaimResult> late = Promise.promise();
      held.add(() -> claiming.onComplete(late));
      return late.future();
    }
    return mute ? claiming.compose(done -> lost()) : claiming;
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, StoredResponse response, List<Effect> effects) {
    return away || deaf ? lost() : super.complete(claim, response, effects);
  }

  @Override
  public Future<Set<Token>> renew(List<Claim> claims) {
    return away ? lost() : super.renew(claims);
  }

  @Override
  public Future<KeyState> lookup(ScopedKey key) {
    return away ? lost() : super.lookup(key);
  }

  private static <T> Future<T> lost() {
    return Future.failedFuture(new StoreException(StoreException.Outcome.UNKNOWN, "no claims"));
  }

  /** Whether claims, completions, renewals and lookups are lost from now on. */
  void away(boolean now) {
    away = now;
  }

  /** Whether completions are lost from now on. */
  void deaf(boolean now) {
    deaf = now;
  }

  /** Whether claims take effect but their results are lost from now on. */
  void mute(boolean now) {
    mute = now;
  }

  /** Whether claims are delayed from now on. */
  void silent(boolean now) {
    silent = now;
    proceed();
  }

  /** Whether claims take effect but their results are delayed from now on. */
  void slow(boolean now) {
    slow = now;
    proceed();
  }

  private void proceed() {
    for (Runnable claim = held.poll(); claim != null; claim = held.poll()) {
      claim.run();
    }
  }

  @Override
  public Future<Boolean> revoke(Claim claim) {
    return present.get().revoke(claim);
  }

  /** Loses everything. */
  void forget() {
    forgetful.forget();
  }
}
