package dev.latchkey.store.memory;

import dev.latchkey.idempotency.spi.Claim;
import dev.latchkey.idempotency.spi.ClaimRequest;
import dev.latchkey.idempotency.spi.ClaimResult;
import dev.latchkey.idempotency.spi.KeyRecord;
import dev.latchkey.idempotency.spi.ScopedKey;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All records of a store: finds them, makes them within the budget, and drops them when they have
 * expired. Safe for use by any thread: slots are found in a concurrent map, and what happens to a
 * record happens under its slot's monitor. No two slots are ever locked at a time; the expiry
 * queue's own short lock is taken inside a slot's, never around one.
 */
final class KeyTable {

  /** What is done with a known, unexpired record under its slot's monitor. */
  @FunctionalInterface
  interface Transition<R> {
    R apply(MemoryRecord record, long nowMillis);
  }

  /** How many expired records a claim drops by itself when the budget is spent. */
  private static final int PURGE_FOR_ROOM = 32;

  private static final Logger LOG = LoggerFactory.getLogger(KeyTable.class);
  private static final ClaimResult FULL = new ClaimResult.Full();

  private final ConcurrentMap<KeySlot, KeySlot> slots = new ConcurrentHashMap<>();
  private final ExpiryQueue expiries = new ExpiryQueue();
  private final AtomicBoolean toldFull = new AtomicBoolean();
  private final MemoryBudget budget;
  private final InstantSource clock;

  KeyTable(MemoryBudget budget, InstantSource clock) {
    this.budget = budget;
    this.clock = clock;
  }

  /** Claims a key, its first use included. */
  ClaimResult claim(ClaimRequest request) {
    ClaimResult result = tryClaim(request);
    // Outside the slot's monitor, since a purge takes those of others.
    if (result instanceof ClaimResult.Full && purge(PURGE_FOR_ROOM) > 0) {
      result = tryClaim(request);
    }
    boolean full = result instanceof ClaimResult.Full;
    if (full && !toldFull.getAndSet(true)) {
      LOG.warn(
          "memory is full with {} bytes: new keys are refused until old ones expire, known keys are"
              + " answered; give the process more heap, or keep keys for less time",
          budget.usedBytes());
    } else if (!full && result instanceof ClaimResult.Claimed && !budget.isSpent()) {
      toldFull.set(false);
    }
    return result;
  }

  private ClaimResult tryClaim(ClaimRequest request) {
    while (true) {
      KeySlot slot = slot(request.claim().key());
      if (slot == null) {
        if (budget.isSpent()) {
          return FULL;
        }
        ScopedKey key = request.claim().key();
        KeySlot fresh = new KeySlot(key.tenant(), key.key());
        KeySlot before = slots.putIfAbsent(fresh, fresh);
        slot = before == null ? fresh : before;
      }
      synchronized (slot) {
        if (!slot.isClosed()) {
          return claimIn(slot, request);
        }
      }
    }
  }

  private @Nullable KeySlot slot(ScopedKey key) {
    return slots.get(new KeySlot(key.tenant(), key.key()));
  }

  private ClaimResult claimIn(KeySlot slot, ClaimRequest request) {
    long nowMillis = clock.millis();
    ScopedKey key = request.claim().key();
    Optional<MemoryRecord> known = slot.find(key.route());
    if (known.isPresent() && !known.get().isExpired(nowMillis)) {
      return known.get().claim(request, nowMillis);
    }
    if (budget.isSpent()) {
      closeIfEmpty(slot);
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

  private void closeIfEmpty(KeySlot slot) {
    if (slot.isEmpty() && !slot.isClosed()) {
      slot.close();
      slots.remove(slot);
    }
  }

  /**
   * Applies a transition to a known, unexpired key, atomically, and counts what it keeps.
   *
   * @return what the transition said, or what is said of an absent key
   */
  <R> R inRecord(ScopedKey key, R ifAbsent, Transition<R> transition) {
    KeySlot slot = slot(key);
    if (slot == null) {
      return ifAbsent;
    }
    synchronized (slot) {
      long nowMillis = clock.millis();
      Optional<MemoryRecord> record = slot.find(key.route());
      if (record.isEmpty() || record.get().isExpired(nowMillis)) {
        return ifAbsent;
      }
      long beforeBytes = record.get().weightBytes();
      R result = transition.apply(record.get(), nowMillis);
      long grownBytes = record.get().weightBytes() - beforeBytes;
      if (grownBytes != 0) {
        budget.add(grownBytes);
      }
      return result;
    }
  }

  /** Removes the record that a claim holds. Its entry in the expiry queue is met in vain. */
  Optional<MemoryRecord> revoke(Claim claim) {
    KeySlot slot = slot(claim.key());
    if (slot == null) {
      return Optional.empty();
    }
    synchronized (slot) {
      Optional<MemoryRecord> held =
          slot.find(claim.key().route())
              .filter(it -> it.isHeldBy(claim.token()) && !it.isExpired(clock.millis()));
      if (held.isPresent()) {
        remove(slot, held.get());
        closeIfEmpty(slot);
      }
      return held;
    }
  }

  /** Lists what is known of a client key, oldest first. */
  List<KeyRecord> records(String tenant, String key, int limit) {
    KeySlot slot = slots.get(new KeySlot(tenant, key));
    if (slot == null) {
      return List.of();
    }
    synchronized (slot) {
      long nowMillis = clock.millis();
      return slot.records().stream()
          .filter(record -> !record.isExpired(nowMillis))
          .sorted(Comparator.comparingLong(MemoryRecord::createdAtMillis))
          .limit(Math.max(0, limit))
          .map(MemoryRecord::toKeyRecord)
          .toList();
    }
  }

  /** Removes at most so many expired records and returns how many there were. */
  int purge(int limit) {
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
    KeySlot slot = slot(key);
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
      closeIfEmpty(slot);
      return true;
    }
  }
}
