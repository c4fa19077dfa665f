package dev.latchkey.store.memory;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.net.MemoryBudget;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records of a memory store, ordered by key and by expiry. Reports every record to the budget.
 * Safe for use by any thread: one lock guards all records, so every transition is atomic.
 */
final class RecordTable {

  /** A step on a known, unexpired record. */
  @FunctionalInterface
  interface Transition<R> {
    R apply(MemoryRecord record, long nowMillis);
  }

  /** When a record expires. */
  private record Due(long atMillis, ScopedKey key) {}

  /** Keeps the routes of a client key next to each other. */
  private static final Comparator<ScopedKey> BY_CLIENT_KEY =
      Comparator.comparing(ScopedKey::key)
          .thenComparing(ScopedKey::tenant)
          .thenComparing(ScopedKey::route);

  /** Sorts before every route. */
  private static final String FIRST_ROUTE = "\0";

  /** Expired records that a claim removes when the budget is spent. */
  private static final int PURGE_FOR_ROOM = 32;

  private static final Logger LOG = LoggerFactory.getLogger(RecordTable.class);

  private final TreeMap<ScopedKey, MemoryRecord> records = new TreeMap<>(BY_CLIENT_KEY);
  private final TreeSet<Due> expiries =
      new TreeSet<>(Comparator.comparingLong(Due::atMillis).thenComparing(Due::key, BY_CLIENT_KEY));
  private final MemoryBudget budget;
  private final InstantSource clock;
  private boolean fullLogged;

  RecordTable(MemoryBudget budget, InstantSource clock) {
    this.budget = budget;
    this.clock = clock;
  }

  /** Claims a key, known or new. */
  synchronized ClaimResult claim(ClaimRequest request) {
    long nowMillis = clock.millis();
    MemoryRecord known = find(request.claim().key(), nowMillis);
    if (known != null) {
      return change(known, nowMillis, (record, now) -> record.claim(request, now));
    }
    if (budget.isSpent()) {
      purge(PURGE_FOR_ROOM, nowMillis);
    }
    if (budget.isSpent()) {
      logFull();
      return new ClaimResult.Full();
    }
    fullLogged = false;
    MemoryRecord expired = records.get(request.claim().key());
    if (expired != null) {
      remove(expired);
    }
    MemoryRecord first = new MemoryRecord(request, nowMillis);
    records.put(first.key(), first);
    expiries.add(due(first));
    budget.add(first.weightBytes());
    return first.claimed(nowMillis);
  }

  private void logFull() {
    if (!fullLogged) {
      fullLogged = true;
      LOG.warn(
          "Memory store is full ({} bytes). New keys are rejected until old keys expire; known keys"
              + " still work. Increase the heap or shorten the retention.",
          budget.usedBytes());
    }
  }

  /**
   * Applies a transition to a key.
   *
   * @return the transition's result, or {@code ifAbsent} if the key is unknown or expired
   */
  synchronized <R> R inRecord(ScopedKey key, R ifAbsent, Transition<R> transition) {
    long nowMillis = clock.millis();
    MemoryRecord record = find(key, nowMillis);
    return record == null ? ifAbsent : change(record, nowMillis, transition);
  }

  private @Nullable MemoryRecord find(ScopedKey key, long nowMillis) {
    MemoryRecord record = records.get(key);
    return record == null || record.isExpired(nowMillis) ? null : record;
  }

  private <R> R change(MemoryRecord record, long nowMillis, Transition<R> transition) {
    Due before = due(record);
    long bytesBefore = record.weightBytes();
    R result = transition.apply(record, nowMillis);
    if (record.deadlineMillis() != before.atMillis()) {
      expiries.remove(before);
      expiries.add(due(record));
    }
    budget.add(record.weightBytes() - bytesBefore);
    return result;
  }

  /** Removes the record that a claim holds. */
  synchronized Optional<MemoryRecord> revoke(Claim claim) {
    MemoryRecord record = find(claim.key(), clock.millis());
    if (record == null || !record.isHeldBy(claim.token())) {
      return Optional.empty();
    }
    remove(record);
    return Optional.of(record);
  }

  /** Lists the unexpired records of a client key, oldest first. */
  synchronized List<KeyRecord> records(String tenant, String key, int limit) {
    long nowMillis = clock.millis();
    List<MemoryRecord> found = new ArrayList<>();
    for (MemoryRecord record :
        records.tailMap(new ScopedKey(tenant, FIRST_ROUTE, key), true).values()) {
      if (!record.key().key().equals(key) || !record.key().tenant().equals(tenant)) {
        break;
      }
      if (!record.isExpired(nowMillis)) {
        found.add(record);
      }
    }
    return found.stream()
        .sorted(Comparator.comparingLong(MemoryRecord::createdAtMillis))
        .limit(Math.max(0, limit))
        .map(MemoryRecord::toKeyRecord)
        .toList();
  }

  /** Removes up to {@code limit} expired records and returns their number. */
  synchronized int purge(int limit) {
    return purge(limit, clock.millis());
  }

  private int purge(int limit, long nowMillis) {
    int removed = 0;
    while (removed < limit && !expiries.isEmpty() && expiries.first().atMillis() <= nowMillis) {
      MemoryRecord record = records.get(expiries.first().key());
      if (record == null) {
        throw new IllegalStateException("an expiry has no record");
      }
      remove(record);
      removed++;
    }
    return removed;
  }

  private void remove(MemoryRecord record) {
    records.remove(record.key());
    expiries.remove(due(record));
    budget.add(-record.weightBytes());
  }

  private static Due due(MemoryRecord record) {
    return new Due(record.deadlineMillis(), record.key());
  }
}
