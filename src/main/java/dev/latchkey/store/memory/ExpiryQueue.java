package dev.latchkey.store.memory;

import dev.latchkey.idempotency.spi.ScopedKey;
import java.util.Arrays;
import java.util.Optional;
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

  private final DueHeap[] stripes = new DueHeap[STRIPES];
  private final AtomicInteger nextPolled = new AtomicInteger();

  ExpiryQueue() {
    Arrays.setAll(stripes, index -> new DueHeap());
  }

  /** Adds a key that has no entry. */
  void add(ScopedKey key, long dueMillis) {
    DueHeap stripe = stripes[Math.floorMod(key.hashCode(), STRIPES)];
    synchronized (stripe) {
      stripe.add(key, dueMillis);
    }
  }

  /** Takes out a key that was due by then, from whichever heap has one. */
  Optional<ScopedKey> pollDue(long nowMillis) {
    int start = nextPolled.get();
    for (int i = 0; i < STRIPES; i++) {
      int index = Math.floorMod(start + i, STRIPES);
      DueHeap stripe = stripes[index];
      synchronized (stripe) {
        if (!stripe.isEmpty() && stripe.firstDueMillis() <= nowMillis) {
          nextPolled.set(index);
          return Optional.of(stripe.poll());
        }
      }
    }
    return Optional.empty();
  }
}
