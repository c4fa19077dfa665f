package dev.latchkey.store.memory;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.net.MemoryBudget;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records of a memory store, by key and by expiry. Reports the size of every record to the
 * budget. Safe for use by any thread: one lock guards all records, so every transition is atomic.
 */
final class RecordTable {

  /** A step on a known, unexpired record. */
  @FunctionalInterface
  interface Transition<R> {
    R apply(MemoryRecord record, long nowMillis);
  }

  /** When a record expires; the record's number makes it unique. */
  private record Due(long atMillis, long number) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      int byTime = Long.compare(atMillis, other.atMillis);
      return byTime == 0 ? Long.compare(number, other.number) : byTime;
    }
  }

  /** Expired records that a claim removes when the budget is spent. */
  private static final int PURGE_FOR_ROOM = 32;

  private static final Logger LOG = LoggerFactory.getLogger(RecordTable.class);

  private final Map<ScopedKey, MemoryRecord> records = new HashMap<>();
  private final TreeMap<Due, MemoryRecord> expiries = new TreeMap<>();

  /** Number of records per route; an application has few routes. */
  private final Map<String, Integer> routes = new HashMap<>();

  private final MemoryBudget budget;
  private final InstantSource clock;
  private long created;
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
    MemoryRecord first = new MemoryRecord(request, ++created, nowMillis);
    records.put(first.key(), first);
    routes.merge(first.key().route(), 1, Integer::sum);
    expiries.put(due(first), first);
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
      expiries.put(due(record), record);
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
    return routes.keySet().stream()
        .map(route -> find(new ScopedKey(tenant, route, key), nowMillis))
        .filter(Objects::nonNull)
        .sorted(Comparator.comparingLong(MemoryRecord::number))
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
    while (removed < limit && !expiries.isEmpty() && expiries.firstKey().atMillis() <= nowMillis) {
      remove(expiries.firstEntry().getValue());
      removed++;
    }
    return removed;
  }

  private void remove(MemoryRecord record) {
    records.remove(record.key());
    routes.computeIfPresent(record.key().route(), (route, count) -> count == 1 ? null : count - 1);
    expiries.remove(due(record));
    budget.add(-record.weightBytes());
  }

  private static Due due(MemoryRecord record) {
    return new Due(record.deadlineMillis(), record.number());
  }
}
