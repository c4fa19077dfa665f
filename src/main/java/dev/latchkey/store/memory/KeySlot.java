package dev.latchkey.store.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The records of a client key of one tenant that may still change, one per route; almost always
 * one. Completed ones move to {@link CompletedRecords} under its monitor, which makes every
 * transition of these records one atomic step. A slot that lost its last record is closed and out
 * of the map for good: whoever still holds it looks the key up again.
 *
 * <p>Slots are the keys of that map, too, so that it holds no objects besides: two are equal when
 * they are of one client key. Their order has no meaning; it helps tables whose keys collide.
 */
final class KeySlot implements Comparable<KeySlot> {

  private final String tenant;
  private final String key;

  /** There is one, unless the slot is empty. */
  private @Nullable MemoryRecord first;

  /** The others in the order in which they came, where the key is used on more than one route. */
  private List<MemoryRecord> more = List.of();

  private boolean closed;

  KeySlot(String tenant, String key) {
    this.tenant = tenant;
    this.key = key;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KeySlot that && key.equals(that.key) && tenant.equals(that.tenant);
  }

  /** Spread over all bits: those of a text that counts up crowd into few buckets of a table. */
  @Override
  public int hashCode() {
    int hash = (31 * tenant.hashCode() + key.hashCode()) * 0x9E3779B9;
    return hash ^ (hash >>> 15);
  }

  @Override
  public int compareTo(KeySlot other) {
    int byKey = key.compareTo(other.key);
    return byKey == 0 ? tenant.compareTo(other.tenant) : byKey;
  }

  Optional<MemoryRecord> find(String route) {
    if (first != null && first.key().route().equals(route)) {
      return Optional.of(first);
    }
    for (int i = 0; i < more.size(); i++) {
      if (more.get(i).key().route().equals(route)) {
        return Optional.of(more.get(i));
      }
    }
    return Optional.empty();
  }

  List<MemoryRecord> records() {
    List<MemoryRecord> all = new ArrayList<>(1 + more.size());
    if (first != null) {
      all.add(first);
    }
    all.addAll(more);
    return all;
  }

  void add(MemoryRecord record) {
    if (first == null) {
      first = record;
    } else {
      if (more.isEmpty()) {
        more = new ArrayList<>(1);
      }
      more.add(record);
    }
  }

  void remove(MemoryRecord record) {
    if (first == record) {
      first = more.isEmpty() ? null : more.remove(0);
    } else {
      more.remove(record);
    }
  }

  boolean isEmpty() {
    return first == null && more.isEmpty();
  }

  boolean isClosed() {
    return closed;
  }

  void close() {
    closed = true;
  }
}
