package dev.latchkey.store.memory;

import dev.latchkey.idempotency.spi.Claim;
import dev.latchkey.idempotency.spi.ClaimRequest;
import dev.latchkey.idempotency.spi.ClaimResult;
import dev.latchkey.idempotency.spi.CompleteResult;
import dev.latchkey.idempotency.spi.CompleteResult.EffectRefused;
import dev.latchkey.idempotency.spi.Effect;
import dev.latchkey.idempotency.spi.IdempotencyStore;
import dev.latchkey.idempotency.spi.KeyRecord;
import dev.latchkey.idempotency.spi.KeyState;
import dev.latchkey.idempotency.spi.Notice;
import dev.latchkey.idempotency.spi.ReleaseResult;
import dev.latchkey.idempotency.spi.ScopedKey;
import dev.latchkey.idempotency.spi.StepResult;
import dev.latchkey.idempotency.spi.StoreException;
import dev.latchkey.idempotency.spi.StoreException.Outcome;
import dev.latchkey.idempotency.spi.StoredResponse;
import dev.latchkey.idempotency.spi.StoredResponseCodec;
import dev.latchkey.idempotency.spi.Subscription;
import dev.latchkey.idempotency.spi.Token;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Records in the memory of this process: one node, gone when it ends. Keeps encoded bytes, never
 * live objects; refuses new keys once its budget is spent, and evicts none that has not expired.
 *
 * <p>Safe for use by any thread. All records of one client key stand in one {@link KeySlot}, and
 * every transition is one step under its monitor, effects included; slots are found in a concurrent
 * map, so that keys do not disturb each other. No two monitors are ever held at a time, save the
 * short one of the expiry queue inside a slot's. Every future is complete when it is returned, and
 * subscribers are told on the completing thread, outside the monitor.
 *
 * <p>Starts no timer: call {@link #purgeExpired} now and then, or expired records keep their memory
 * until new keys need it.
 */
public final class MemoryStore implements IdempotencyStore {

  /** How many expired records a claim drops by itself when the budget is spent. */
  private static final int PURGE_FOR_ROOM = 32;

  private static final CompleteResult LOST = new CompleteResult.LostLease();
  private static final ClaimResult FULL = new ClaimResult.Full();
  private static final KeyState ABSENT = new KeyState.Absent();

  /** What is done with a known, unexpired record under its slot's monitor. */
  @FunctionalInterface
  private interface Transition<R> {
    R apply(MemoryRecord record, long nowMillis);
  }

  /** The end of an attempt, and whether somebody has to be told. */
  private record Settlement<R>(R result, boolean awaited) {
    static <R> Settlement<R> unchanged(R result) {
      return new Settlement<>(result, false);
    }
  }

  private final ConcurrentMap<KeySlot.Id, KeySlot> slots = new ConcurrentHashMap<>();
  private final ExpiryQueue expiries = new ExpiryQueue();
  private final Notices notices = new Notices();
  private final MemoryBudget budget;
  private final EffectTarget effects;
  private final InstantSource clock;

  private MemoryStore(MemoryBudget budget, EffectTarget effects, InstantSource clock) {
    this.budget = budget;
    this.effects = effects;
    this.clock = clock;
  }

  /**
   * Makes a store that goes by the system's clock.
   *
   * @param budget what the store may keep, shared with whatever else lives in memory
   * @param effects where the effects of a completion are written
   * @return the empty store
   */
  public static MemoryStore create(MemoryBudget budget, EffectTarget effects) {
    return create(budget, effects, InstantSource.system());
  }

  /**
   * Makes a store that goes by a given clock.
   *
   * @param budget what the store may keep, shared with whatever else lives in memory
   * @param effects where the effects of a completion are written
   * @param clock decides leases and expiry, in milliseconds; read on any thread
   * @return the empty store
   */
  public static MemoryStore create(MemoryBudget budget, EffectTarget effects, InstantSource clock) {
    return new MemoryStore(budget, effects, clock);
  }

  @Override
  public Future<ClaimResult> claim(ClaimRequest request) {
    ClaimResult result = tryClaim(request);
    if (result instanceof ClaimResult.Full && purge(PURGE_FOR_ROOM) > 0) {
      result = tryClaim(request);
    }
    return Future.succeededFuture(result);
  }

  private ClaimResult tryClaim(ClaimRequest request) {
    KeySlot.Id id = KeySlot.Id.of(request.claim().key());
    while (true) {
      KeySlot slot = slots.get(id);
      if (slot == null) {
        if (budget.isSpent()) {
          return FULL;
        }
        slot = slots.computeIfAbsent(id, absent -> new KeySlot());
      }
      synchronized (slot) {
        if (!slot.isClosed()) {
          return claimIn(slot, id, request);
        }
      }
    }
  }

  private ClaimResult claimIn(KeySlot slot, KeySlot.Id id, ClaimRequest request) {
    long nowMillis = clock.millis();
    ScopedKey key = request.claim().key();
    Optional<MemoryRecord> known = slot.find(key.route());
    if (known.isPresent() && !known.get().isExpired(nowMillis)) {
      return known.get().claim(request, nowMillis);
    }
    if (budget.isSpent()) {
      closeIfEmpty(slot, id);
      return FULL;
    }
    MemoryRecord fresh = new MemoryRecord(request, nowMillis);
    if (known.isPresent()) {
      // The expired record's entry in the queue now stands for this one, and moves when it is met.
      remove(slot, known.get());
    } else {
      expiries.add(key, fresh.deadlineMillis());
    }
    slot.add(fresh);
    budget.add(fresh.weightBytes());
    return fresh.claimed(nowMillis);
  }

  private void remove(KeySlot slot, MemoryRecord record) {
    slot.remove(record);
    budget.add(-record.weightBytes());
  }

  private void closeIfEmpty(KeySlot slot, KeySlot.Id id) {
    if (slot.isEmpty()) {
      slot.close();
      slots.remove(id, slot);
    }
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, StoredResponse response, List<Effect> toWrite) {
    byte[] encoded = StoredResponseCodec.encode(response);
    try {
      return settle(
          claim.key(),
          LOST,
          (record, nowMillis) -> complete(record, claim, encoded, toWrite, nowMillis));
    } catch (StoreException broken) {
      return Future.failedFuture(broken);
    }
  }

  private Settlement<CompleteResult> complete(
      MemoryRecord record, Claim claim, byte[] encoded, List<Effect> toWrite, long nowMillis) {
    if (record.wasCompletedBy(claim.token())) {
      return Settlement.unchanged(new CompleteResult.Completed(record.expiry(nowMillis)));
    }
    if (!record.isHeldBy(claim.token())) {
      return Settlement.unchanged(LOST);
    }
    Optional<EffectRefused> refused = write(toWrite);
    if (refused.isPresent()) {
      return Settlement.unchanged(refused.get());
    }
    long before = record.weightBytes();
    record.complete(encoded, claim.leaseMillis(), nowMillis);
    budget.add(record.weightBytes() - before);
    return new Settlement<>(
        new CompleteResult.Completed(record.expiry(nowMillis)), record.takeAwaited());
  }

  private Optional<EffectRefused> write(List<Effect> toWrite) {
    if (toWrite.isEmpty()) {
      return Optional.empty();
    }
    try {
      return effects.apply(toWrite);
    } catch (RuntimeException broken) {
      throw new StoreException(
          Outcome.UNKNOWN, "complete: the target of the effects failed: " + broken, broken);
    }
  }

  @Override
  public Future<ReleaseResult> release(Claim claim) {
    return settle(
        claim.key(),
        ReleaseResult.LOST_LEASE,
        (record, nowMillis) -> {
          if (record.wasReleasedBy(claim.token())) {
            return Settlement.unchanged(ReleaseResult.RELEASED);
          }
          if (!record.isHeldBy(claim.token())) {
            return Settlement.unchanged(ReleaseResult.LOST_LEASE);
          }
          record.release(nowMillis);
          return new Settlement<>(ReleaseResult.RELEASED, record.takeAwaited());
        });
  }

  @Override
  public Future<Set<Token>> renew(List<Claim> claims) {
    Set<Token> lost = new HashSet<>();
    for (Claim claim : claims) {
      boolean held =
          inRecord(claim.key(), false, (record, nowMillis) -> renew(record, claim, nowMillis));
      if (!held) {
        lost.add(claim.token());
      }
    }
    return Future.succeededFuture(Set.copyOf(lost));
  }

  private boolean renew(MemoryRecord record, Claim claim, long nowMillis) {
    boolean held = record.isHeldBy(claim.token());
    if (held) {
      record.renew(claim.leaseMillis(), nowMillis);
    }
    return held;
  }

  @Override
  public Future<StepResult> recordStep(Claim claim, String name, Buffer result) {
    if (name.isEmpty() || name.length() > MAX_STEP_NAME_CHARS) {
      return Future.failedFuture(
          new StoreException(
              Outcome.NOT_DONE,
              "recordStep: the name has "
                  + name.length()
                  + " characters, allowed are 1 to "
                  + MAX_STEP_NAME_CHARS
                  + "; a retry cannot help"));
    }
    return Future.succeededFuture(
        inRecord(
            claim.key(),
            StepResult.LOST_LEASE,
            (record, nowMillis) -> {
              if (!record.isHeldBy(claim.token())) {
                return StepResult.LOST_LEASE;
              }
              long before = record.weightBytes();
              StepResult recorded = record.recordStep(name, result);
              budget.add(record.weightBytes() - before);
              return recorded;
            }));
  }

  @Override
  public Future<KeyState> watch(ScopedKey key) {
    return Future.succeededFuture(
        inRecord(
            key,
            ABSENT,
            (record, nowMillis) -> {
              record.await();
              return record.state(nowMillis);
            }));
  }

  @Override
  public Future<KeyState> lookup(ScopedKey key) {
    return Future.succeededFuture(inRecord(key, ABSENT, MemoryRecord::state));
  }

  @Override
  public Subscription subscribe(Handler<Notice> handler) {
    return notices.subscribe(handler);
  }

  @Override
  public Future<List<KeyRecord>> records(String tenant, String key, int limit) {
    KeySlot slot = slots.get(new KeySlot.Id(tenant, key));
    if (slot == null) {
      return Future.succeededFuture(List.of());
    }
    synchronized (slot) {
      long nowMillis = clock.millis();
      return Future.succeededFuture(
          slot.records().stream()
              .filter(record -> !record.isExpired(nowMillis))
              .sorted(Comparator.comparingLong(MemoryRecord::createdAtMillis))
              .limit(Math.max(0, limit))
              .map(MemoryRecord::toKeyRecord)
              .toList());
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>Looks at keys that are due alone: besides those removed only at such whose lease or expiry
   * moved since they were last looked at, each once.
   */
  @Override
  public Future<Integer> purgeExpired(int limit) {
    return Future.succeededFuture(purge(limit));
  }

  private int purge(int limit) {
    long nowMillis = clock.millis();
    int removed = 0;
    while (removed < limit) {
      Optional<ScopedKey> due = expiries.pollDue(nowMillis);
      if (due.isEmpty()) {
        break;
      }
      if (removeOrRequeue(due.get(), nowMillis)) {
        removed++;
      }
    }
    return removed;
  }

  private boolean removeOrRequeue(ScopedKey key, long nowMillis) {
    KeySlot.Id id = KeySlot.Id.of(key);
    KeySlot slot = slots.get(id);
    if (slot == null) {
      return false;
    }
    synchronized (slot) {
      Optional<MemoryRecord> record = slot.find(key.route());
      if (record.isEmpty()) {
        return false;
      }
      if (!record.get().isExpired(nowMillis)) {
        expiries.add(key, record.get().deadlineMillis());
        return false;
      }
      remove(slot, record.get());
      closeIfEmpty(slot, id);
      return true;
    }
  }

  @Override
  public Future<Void> probe() {
    return Future.succeededFuture();
  }

  /** Applies a transition to a known key, atomically. */
  private <R> R inRecord(ScopedKey key, R ifAbsent, Transition<R> transition) {
    KeySlot slot = slots.get(KeySlot.Id.of(key));
    if (slot == null) {
      return ifAbsent;
    }
    synchronized (slot) {
      long nowMillis = clock.millis();
      Optional<MemoryRecord> record = slot.find(key.route());
      return record.isEmpty() || record.get().isExpired(nowMillis)
          ? ifAbsent
          : transition.apply(record.get(), nowMillis);
    }
  }

  /** Likewise, and tells whoever awaited the end of the attempt, after the monitor is free. */
  private <R> Future<R> settle(ScopedKey key, R ifAbsent, Transition<Settlement<R>> transition) {
    Settlement<R> settlement = inRecord(key, Settlement.unchanged(ifAbsent), transition);
    if (settlement.awaited()) {
      notices.settled(key);
    }
    return Future.succeededFuture(settlement.result());
  }
}
