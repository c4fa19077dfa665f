package dev.latchkey.store.memory;

import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Records in the making by the time when they are due, so that a purge looks at those alone. Holds
 * at most one entry per record, with the deadline it had when it was added: whoever polls one
 * removes the record, or adds it again where its deadline moved meanwhile.
 *
 * <p>Several heaps with a lock each, so that event loops seldom meet. First uses come in the order
 * of their deadlines, mostly, and then adding takes constant time. Safe for use by any thread; an
 * entry of a record is added and removed under the monitor of its slot.
 */
final class ExpiryQueue {

  private static final int STRIPES = 16;

  /** Guarded by itself. */
  private static final class Stripe {
    final DueHeap heap = new DueHeap();
    @Nullable MemoryRecord[] records = new MemoryRecord[16];
    int[] free = new int[16];
    int freeCount;
    int numbers;

    int number(MemoryRecord record) {
      int number = freeCount > 0 ? free[--freeCount] : numbers++;
      if (number == records.length) {
        records = Arrays.copyOf(records, 2 * number);
        free = Arrays.copyOf(free, 2 * number);
      }
      records[number] = record;
      return number;
    }

    MemoryRecord release(int number) {
      MemoryRecord record = records[number];
      if (record == null) {
        throw new IllegalStateException("entry " + number + " is free");
      }
      records[number] = null;
      free[freeCount++] = number;
      record.queueNumber(MemoryRecord.NOT_QUEUED);
      return record;
    }
  }

  private final Stripe[] stripes = new Stripe[STRIPES];
  private final AtomicInteger nextPolled = new AtomicInteger();

  ExpiryQueue() {
    Arrays.setAll(stripes, index -> new Stripe());
  }

  /** Adds a record that has no entry. */
  void add(MemoryRecord record) {
    Stripe stripe = stripe(record);
    synchronized (stripe) {
      int number = stripe.number(record);
      record.queueNumber(number);
      stripe.heap.add(number, record.deadlineMillis());
    }
  }

  /** Takes out the entry of a record, unless somebody has polled it. */
  void remove(MemoryRecord record) {
    Stripe stripe = stripe(record);
    synchronized (stripe) {
      int number = record.queueNumber();
      if (number != MemoryRecord.NOT_QUEUED) {
        stripe.heap.remove(number);
        stripe.release(number);
      }
    }
  }

  /** Takes out a record that was due by then, from whichever heap has one. */
  Optional<MemoryRecord> pollDue(long nowMillis) {
    int start = nextPolled.get();
    for (int i = 0; i < STRIPES; i++) {
      int index = Math.floorMod(start + i, STRIPES);
      Stripe stripe = stripes[index];
      synchronized (stripe) {
        if (!stripe.heap.isEmpty() && stripe.heap.firstDueMillis() <= nowMillis) {
          nextPolled.set(index);
          return Optional.of(stripe.release(stripe.heap.poll()));
        }
      }
    }
    return Optional.empty();
  }

  private Stripe stripe(MemoryRecord record) {
    return stripes[Math.floorMod(record.key().hashCode(), STRIPES)];
  }
}
