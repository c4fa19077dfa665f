package dev.latchkey.core;

import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.ScopedKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rows of the simulated store, as they are and as they would be after a crash, with the store's
 * own clock and the interest of nodes.
 */
final class SimStoreRows {

  /** The store's clock differs from the nodes' clocks. */
  private static final long EPOCH_MILLIS = 77_000_000_000L;

  private final SimWorld world;
  private final Map<ScopedKey, SimStoreRow> rows = new HashMap<>();
  private final Map<ScopedKey, SimStoreRow> durable = new HashMap<>();
  private final Map<ScopedKey, Set<SimStoreConnection>> interest = new HashMap<>();

  SimStoreRows(SimWorld world) {
    this.world = world;
  }

  long nowMillis() {
    return EPOCH_MILLIS + world.nowNanos() / SimWorld.MILLI;
  }

  /** The row of a key that has not expired. */
  Optional<SimStoreRow> find(ScopedKey key) {
    SimStoreRow row = rows.get(key);
    if (row == null) {
      return Optional.empty();
    }
    long freeMillis =
        world.has(SimMutant.EXPIRY_UNDER_LIVE_LEASE)
            ? row.expiresMillis
            : Math.max(row.expiresMillis, row.leaseEndsMillis);
    if (nowMillis() < freeMillis) {
      return Optional.of(row);
    }
    world.tell(() -> "store: " + key.key() + " has expired");
    row.life.endedNanos = (freeMillis - EPOCH_MILLIS) * SimWorld.MILLI;
    rows.remove(key);
    durable.remove(key);
    interest.remove(key);
    return Optional.empty();
  }

  void put(ScopedKey key, SimStoreRow row) {
    rows.put(key, row);
  }

  Expiry expiry(SimStoreRow row) {
    return new Expiry(row.expiresMillis, Math.max(0, row.expiresMillis - nowMillis()));
  }

  void watch(ScopedKey key, SimStoreConnection by) {
    find(key)
        .filter(row -> row.phase == Phase.IN_PROGRESS)
        .ifPresent(row -> interest.computeIfAbsent(key, it -> new HashSet<>()).add(by));
  }

  void dropInterest(ScopedKey key) {
    interest.remove(key);
  }

  /** Notifies the watchers of the key once. */
  void settled(ScopedKey key) {
    Set<SimStoreConnection> interested = interest.remove(key);
    if (interested != null) {
      interested.stream().sorted().forEach(link -> link.notices().settled(key));
    }
  }

  boolean isWatched(ScopedKey key) {
    return interest.containsKey(key);
  }

  void flush(ScopedKey key) {
    durable.put(key, rows.get(key).copy());
  }

  /** Early acknowledgements become durable. */
  void flushAll() {
    rows.keySet().forEach(this::flush);
  }

  /** The store crashes: rows that were not durable and all interest are lost. */
  void crash() {
    for (Map.Entry<ScopedKey, SimStoreRow> entry : rows.entrySet()) {
      if (!durable.containsKey(entry.getKey())) {
        entry.getValue().life.endedNanos = world.nowNanos();
        world.tell(() -> "store: has lost its record of " + entry.getKey().key());
      }
    }
    rows.clear();
    durable.forEach((key, row) -> rows.put(key, row.copy()));
    interest.clear();
  }

  /** Rows not known to have expired, for the final checks. */
  Map<ScopedKey, SimStoreRow> all() {
    return rows;
  }
}
