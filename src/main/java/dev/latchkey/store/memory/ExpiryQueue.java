package dev.latchkey.store.memory;

import dev.latchkey.idempotency.spi.ScopedKey;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The keys of a store by the time when they are due, so that a purge looks at those alone. Holds
 * exactly one entry per key, with the deadline it had when it was added: whoever polls one removes
 * the key, or adds it again where its deadline moved meanwhile.
 *
 * <p>Several heaps with a lock each, so that event loops seldom meet. First uses come in the order
 * of their deadlines, mostly, and then adding takes constant time. Safe for use by any thread.
 */
final class ExpiryQueue {

  private static final int STRIPES = 16;

  private record Entry(long dueMillis, ScopedKey key) implements Comparable<Entry> {
    @Override
    public int compareTo(Entry other) {
      return Long.compare(dueMillis, other.dueMillis);
    }
  }

  private final PriorityQueue<Entry>[] stripes;
  private final AtomicInteger nextPolled = new AtomicInteger();

  ExpiryQueue() {
    @SuppressWarnings({"unchecked", "rawtypes"})
    PriorityQueue<Entry>[] heaps = new PriorityQueue[STRIPES];
    for (int i = 0; i < STRIPES; i++) {
      heaps[i] = new PriorityQueue<>();
    }
    stripes = heaps;
  }

  /** Adds a key that has no entry. */
  void add(ScopedKey key, long dueMillis) {
    PriorityQueue<Entry> stripe = stripes[Math.floorMod(key.key().hashCode(), STRIPES)];
    Entry entry = new Entry(dueMillis, key);
    synchronized (stripe) {
      stripe.add(entry);
    }
  }

  /** Takes out a key that was due by then, from whichever heap has one. */
  Optional<ScopedKey> pollDue(long nowMillis) {
    int start = nextPolled.get();
    for (int i = 0; i < STRIPES; i++) {
      int index = Math.floorMod(start + i, STRIPES);
      PriorityQueue<Entry> stripe = stripes[index];
      synchronized (stripe) {
        Entry first = stripe.peek();
        if (first != null && first.dueMillis() <= nowMillis) {
          stripe.remove();
          nextPolled.set(index);
          return Optional.of(first.key());
        }
      }
    }
    return Optional.empty();
  }
}
