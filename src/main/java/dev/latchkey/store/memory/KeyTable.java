package dev.latchkey.store.memory;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.net.MemoryBudget;
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
 * record happens under its slot's monitor. No two slots are ever locked at a time; the short locks
 * of the expiry queue and of the completed records are taken inside a slot's, never around one.
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
  private final CompletedRecords completed;
  private final AtomicBoolean toldFull = new AtomicBoolean();
  private final MemoryBudget budget;
  private final InstantSource clock;

  KeyTable(MemoryBudget budget, InstantSource clock) {
    this.budget = budget;
    this.clock = clock;
    this.completed = new CompletedRecords(budget);
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
    ScopedKey key = request.claim().key();
    while (true) {
      KeySlot slot = slot(key);
      if (slot == null) {
        if (budget.isSpent()) {
          long nowMillis = clock.millis();
          return completed(key, nowMillis).map(it -> it.claim(request, nowMillis)).orElse(FULL);
        }
        KeySlot fresh = new KeySlot(key.tenant(), key.key());
        KeySlot before = slots.putIfAbsent(fresh, fresh);
        slot = before == null ? fresh : before;
      }
      synchronized (slot) {
        if (!slot.isClosed()) {
          ClaimResult result = claimIn(slot, request);
          closeIfEmpty(slot);
          return result;
        }
      }
    }
  }

  private @Nullable KeySlot slot(ScopedKey key) {
    return slots.get(new KeySlot(key.tenant(), key.key()));
  }

  /** A completed, unexpired record, which nobody changes any more. */
  private Optional<MemoryRecord> completed(ScopedKey key, long nowMillis) {
    return completed.find(key).filter(it -> !it.isExpired(nowMillis));
  }

  private ClaimResult claimIn(KeySlot slot, ClaimRequest request) {
    long nowMillis = clock.millis();
    ScopedKey key = request.claim().key();
    Optional<MemoryRecord> open = slot.find(key.route());
    Optional<MemoryRecord> known = open.isPresent() ? open : completed.find(key);
    if (known.isPresent() && !known.get().isExpired(nowMillis)) {
      return known.get().claim(request, nowMillis);
    }
    if (budget.isSpent()) {
      return FULL;
    }
    if (open.isPresent()) {
      remove(slot, open.get());
    } else if (known.isPresent()) {
      completed.removeExpired(key, nowMillis);
    }
    MemoryRecord fresh = new MemoryRecord(request, nowMillis);
    slot.add(fresh);
    expiries.add(fresh);
    budget.add(fresh.weightBytes());
    return fresh.claimed(nowMillis);
  }

  private void remove(KeySlot slot, MemoryRecord record) {
    expiries.remove(record);
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
   * Applies a transition to a known, unexpired key, atomically, and counts what it keeps. One that
   * completes the record puts it among the completed ones.
   *
   * @return what the transition said, or what is said of an absent key
   */
  <R> R inRecord(ScopedKey key, R ifAbsent, Transition<R> transition) {
    KeySlot slot = slot(key);
    if (slot == null) {
      return inCompleted(key, ifAbsent, transition);
    }
    synchronized (slot) {
      long nowMillis = clock.millis();
      Optional<MemoryRecord> open = slot.find(key.route());
      if (open.isEmpty()) {
        return inCompleted(key, ifAbsent, transition);
      }
      MemoryRecord record = open.get();
      if (record.isExpired(nowMillis)) {
        return ifAbsent;
      }
      long beforeBytes = record.weightBytes();
      R result = transition.apply(record, nowMillis);
      long grownBytes = record.weightBytes() - beforeBytes;
      if (grownBytes != 0) {
        budget.add(grownBytes);
      }
      if (record.isCompleted()) {
        completed.add(record);
        remove(slot, record);
        closeIfEmpty(slot);
      }
      return result;
    }
  }

  /** What is completed changes no more, so that no monitor is needed. */
  private <R> R inCompleted(ScopedKey key, R ifAbsent, Transition<R> transition) {
    long nowMillis = clock.millis();
    Optional<MemoryRecord> record = completed(key, nowMillis);
    return record.isPresent() ? transition.apply(record.get(), nowMillis) : ifAbsent;
  }

  /** Removes the record that a claim holds. */
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
    List<MemoryRecord> all;
    if (slot == null) {
      all = completed.all(tenant, key);
    } else {
      synchronized (slot) {
        all = slot.records();
        all.addAll(completed.all(tenant, key));
        return list(all, limit);
      }
    }
    return list(all, limit);
  }

  private List<KeyRecord> list(List<MemoryRecord> records, int limit) {
    long nowMillis = clock.millis();
    return records.stream()
        .filter(record -> !record.isExpired(nowMillis))
        .sorted(Comparator.comparingLong(MemoryRecord::createdAtMillis))
        .limit(Math.max(0, limit))
        .map(MemoryRecord::toKeyRecord)
        .toList();
  }

  /** Removes at most so many expired records and returns how many there were. */
  int purge(int limit) {
    long nowMillis = clock.millis();
    int removed = 0;
    while (removed < limit) {
      Optional<MemoryRecord> due = expiries.pollDue(nowMillis);
      if (due.isEmpty()) {
        break;
      }
      if (removeOrRequeue(due.get(), nowMillis)) {
        removed++;
      }
    }
    return removed + completed.purge(limit - removed, nowMillis);
  }

  private boolean removeOrRequeue(MemoryRecord record, long nowMillis) {
    KeySlot slot = slot(record.key());
    if (slot == null) {
      return false;
    }
    synchronized (slot) {
      if (slot.find(record.key().route()).filter(it -> it == record).isEmpty()) {
        // Completed, or gone, between the two locks.
        return false;
      }
      if (!record.isExpired(nowMillis)) {
        expiries.add(record);
        return false;
      }
      remove(slot, record);
      closeIfEmpty(slot);
      return true;
    }
  }
}
