package dev.latchkey.store.memory;

import dev.latchkey.idempotency.spi.ScopedKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All records of one client key of one tenant, one per route; almost always one. Its monitor makes
 * every transition of these records one atomic step. A slot that lost its last record is closed and
 * out of the map for good: whoever still holds it looks the key up again.
 */
final class KeySlot {

  /** What the store's map is keyed by: the scope without the route. */
  record Id(String tenant, String key) {
    static Id of(ScopedKey key) {
      return new Id(key.tenant(), key.key());
    }
  }

  private final List<MemoryRecord> records = new ArrayList<>(1);
  private boolean closed;

  Optional<MemoryRecord> find(String route) {
    for (int i = 0; i < records.size(); i++) {
      if (records.get(i).key().route().equals(route)) {
        return Optional.of(records.get(i));
      }
    }
    return Optional.empty();
  }

  List<MemoryRecord> records() {
    return records;
  }

  void add(MemoryRecord record) {
    records.add(record);
  }

  void remove(MemoryRecord record) {
    records.remove(record);
  }

  boolean isEmpty() {
    return records.isEmpty();
  }

  boolean isClosed() {
    return closed;
  }

  void close() {
    closed = true;
  }
}
