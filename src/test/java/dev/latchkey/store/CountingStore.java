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
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.Subscription;
import dev.latchkey.core.spi.Token;
import dev.latchkey.core.spi.TransactionWork;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * A store that forwards to another one, counts the calls, and disturbs some of them: by a {@link
 * FaultPlan}, or by a script for the next calls of an operation, which goes first. Safe for use by
 * any thread.
 */
public final class CountingStore implements IdempotencyStore {

  private final IdempotencyStore behind;
  private final Map<StoreOperation, AtomicLong> calls = new EnumMap<>(StoreOperation.class);
  private final Map<StoreOperation, Queue<StoreFault>> scripts =
      new EnumMap<>(StoreOperation.class);
  private final List<Runnable> held = new ArrayList<>();
  private final AtomicLong watched = new AtomicLong();
  private final AtomicLong gaps = new AtomicLong();
  private FaultPlan plan = FaultPlan.NONE;

  /** Wraps a store; disturbs no call at first. */
  public CountingStore(IdempotencyStore behind) {
    this.behind = behind;
    for (StoreOperation operation : StoreOperation.values()) {
      calls.put(operation, new AtomicLong());
      scripts.put(operation, new ArrayDeque<>());
    }
  }

  /** The number of calls of an operation, disturbed or not, since the last {@link #reset}. */
  public long calls(StoreOperation operation) {
    return calls.get(operation).get();
  }

  /** The number of watches that the wrapped store has completed, ever. */
  public long watched() {
    return watched.get();
  }

  /** The number of gaps that the wrapped store reported, counted per subscriber. */
  public long gaps() {
    return gaps.get();
  }

  /** The number of calls except subscriptions, probes and purges. */
  public long keyCalls() {
    return calls.entrySet().stream()
        .filter(
            it ->
                it.getKey() != StoreOperation.SUBSCRIBE
                    && it.getKey() != StoreOperation.PROBE
                    && it.getKey() != StoreOperation.PURGE)
        .mapToLong(it -> it.getValue().get())
        .sum();
  }

  /** Counts from zero again and disturbs no further call. Held calls stay held. */
  public synchronized void reset() {
    calls.values().forEach(counter -> counter.set(0));
    scripts.values().forEach(Queue::clear);
    plan = FaultPlan.NONE;
  }

  /** Appends faults for the next calls of an operation, in order. */
  public synchronized void script(StoreOperation operation, StoreFault... faults) {
    scripts.get(operation).addAll(Arrays.asList(faults));
  }

  /** Sets the faults of calls without a script. */
  public synchronized void plan(FaultPlan next) {
    plan = next;
  }

  /** The number of calls or results that are held now. */
  public synchronized int held() {
    return held.size();
  }

  /**
   * Releases all held calls and results, in order of arrival.
   *
   * @return their number
   */
  public int releaseHeld() {
    List<Runnable> all;
    synchronized (this) {
      all = List.copyOf(held);
      held.clear();
    }
    all.forEach(Runnable::run);
    return all.size();
  }

  private synchronized StoreFault nextFault(StoreOperation operation) {
    long number = calls.get(operation).incrementAndGet();
    StoreFault scripted = scripts.get(operation).poll();
    return scripted != null ? scripted : plan.next(operation, number);
  }

  private synchronized void hold(Runnable later) {
    held.add(later);
  }

  private <T> Future<T> call(StoreOperation operation, Supplier<Future<T>> real) {
    return switch (nextFault(operation)) {
      case NONE -> real.get();
      case FAIL_BEFORE -> Future.failedFuture(failure(operation, Outcome.NOT_DONE));
      case FAIL_AFTER ->
          real.get().compose(done -> Future.failedFuture(failure(operation, Outcome.UNKNOWN)));
      case SILENT_BEFORE -> Promise.<T>promise().future();
      case SILENT_AFTER -> {
        real.get();
        yield Promise.<T>promise().future();
      }
      case HOLD_BEFORE -> {
        Promise<T> answer = Promise.promise();
        hold(() -> real.get().onComplete(answer));
        yield answer.future();
      }
      case HOLD_AFTER -> {
        Promise<T> answer = Promise.promise();
        Future<T> done = real.get();
        hold(() -> done.onComplete(answer));
        yield answer.future();
      }
    };
  }

  private static StoreException failure(StoreOperation operation, Outcome outcome) {
    return new StoreException(outcome, operation + ": this failure was injected");
  }

  @Override
  public Future<ClaimResult> claim(ClaimRequest request) {
    return call(StoreOperation.CLAIM, () -> behind.claim(request));
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, StoredResponse response, List<Effect> effects) {
    return call(StoreOperation.COMPLETE, () -> behind.complete(claim, response, effects));
  }

  @Override
  public boolean runsTransactionsOn(Class<?> connectionType) {
    return behind.runsTransactionsOn(connectionType);
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, TransactionWork<?> work, List<Effect> effects) {
    return call(StoreOperation.COMPLETE, () -> behind.complete(claim, work, effects));
  }

  @Override
  public Future<ReleaseResult> release(Claim claim) {
    return call(StoreOperation.RELEASE, () -> behind.release(claim));
  }

  @Override
  public Future<Set<Token>> renew(List<Claim> claims) {
    return call(StoreOperation.RENEW, () -> behind.renew(claims));
  }

  @Override
  public Future<StepResult> recordStep(Claim claim, String name, Buffer result) {
    return call(StoreOperation.RECORD_STEP, () -> behind.recordStep(claim, name, result));
  }

  @Override
  public Future<KeyState> watch(ScopedKey key) {
    return call(
        StoreOperation.WATCH,
        () -> behind.watch(key).onComplete(answered -> watched.incrementAndGet()));
  }

  @Override
  public Future<KeyState> lookup(ScopedKey key) {
    return call(StoreOperation.LOOKUP, () -> behind.lookup(key));
  }

  /** Counted, never disturbed. */
  @Override
  public Subscription subscribe(Handler<Notification> handler) {
    calls.get(StoreOperation.SUBSCRIBE).incrementAndGet();
    return behind.subscribe(
        notice -> {
          if (notice instanceof Notification.Gap) {
            gaps.incrementAndGet();
          }
          handler.handle(notice);
        });
  }

  @Override
  public Future<List<KeyRecord>> records(String tenant, String key, int limit) {
    return call(StoreOperation.RECORDS, () -> behind.records(tenant, key, limit));
  }

  @Override
  public Future<PurgeResult> purgeExpired(int limit) {
    return call(StoreOperation.PURGE, () -> behind.purgeExpired(limit));
  }

  @Override
  public Future<Void> probe() {
    return call(StoreOperation.PROBE, behind::probe);
  }
}
