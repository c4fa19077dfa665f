package dev.latchkey.store.memory;

import dev.latchkey.idempotency.spi.ScopedKey;
import java.util.Arrays;

/**
 * Keys by the time when they are due, the earliest first: a binary heap in two arrays, so that an
 * entry is no object of its own. Guarded by its {@link ExpiryQueue}.
 */
final class DueHeap {

  private static final int FIRST_ROOM = 16;
  private static final ScopedKey NONE = new ScopedKey("-", "-", "-");

  private long[] dueMillis = new long[FIRST_ROOM];
  private ScopedKey[] keys = new ScopedKey[FIRST_ROOM];
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  /** When the first is due; there must be one. */
  long firstDueMillis() {
    return dueMillis[0];
  }

  void add(ScopedKey key, long due) {
    if (size == keys.length) {
      dueMillis = Arrays.copyOf(dueMillis, 2 * size);
      keys = Arrays.copyOf(keys, 2 * size);
    }
    int at = size++;
    while (at > 0 && dueMillis[(at - 1) / 2] > due) {
      move((at - 1) / 2, at);
      at = (at - 1) / 2;
    }
    put(at, key, due);
  }

  /** Takes out the first; there must be one. */
  ScopedKey poll() {
    ScopedKey first = keys[0];
    size--;
    ScopedKey last = keys[size];
    long due = dueMillis[size];
    int at = 0;
    int child = 1;
    while (child < size) {
      if (child + 1 < size && dueMillis[child + 1] < dueMillis[child]) {
        child++;
      }
      if (dueMillis[child] >= due) {
        break;
      }
      move(child, at);
      at = child;
      child = 2 * at + 1;
    }
    put(at, last, due);
    keys[size] = NONE;
    return first;
  }

  private void move(int from, int to) {
    put(to, keys[from], dueMillis[from]);
  }

  private void put(int at, ScopedKey key, long due) {
    keys[at] = key;
    dueMillis[at] = due;
  }
}
