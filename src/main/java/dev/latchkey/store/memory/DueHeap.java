package dev.latchkey.store.memory;

import java.util.Arrays;

/**
 * Numbers by the time when they are due, the earliest first: a binary heap in arrays, so that an
 * entry is no object of its own. A number has one entry at most, which can be taken out at any
 * time. Not thread-safe.
 */
final class DueHeap {

  private static final int FIRST_ROOM = 16;

  private long[] dueMillis = new long[FIRST_ROOM];
  private int[] numbers = new int[FIRST_ROOM];

  /** By number: where its entry is. */
  private int[] places = new int[FIRST_ROOM];

  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  /** When the first is due; there must be one. */
  long firstDueMillis() {
    return dueMillis[0];
  }

  /** Adds a number, 0 or more, that has no entry. */
  void add(int number, long due) {
    if (size == numbers.length) {
      dueMillis = Arrays.copyOf(dueMillis, 2 * size);
      numbers = Arrays.copyOf(numbers, 2 * size);
    }
    if (number >= places.length) {
      places = Arrays.copyOf(places, Math.max(number + 1, 2 * places.length));
    }
    rise(size++, number, due);
  }

  /** Takes out the first; there must be one. */
  int poll() {
    int first = numbers[0];
    removeAt(0);
    return first;
  }

  /** Takes out a number that has an entry. */
  void remove(int number) {
    removeAt(places[number]);
  }

  private void removeAt(int at) {
    size--;
    if (at == size) {
      return;
    }
    int last = numbers[size];
    long due = dueMillis[size];
    if (at > 0 && dueMillis[(at - 1) / 2] > due) {
      rise(at, last, due);
    } else {
      sink(at, last, due);
    }
  }

  private void rise(int from, int number, long due) {
    int at = from;
    while (at > 0 && dueMillis[(at - 1) / 2] > due) {
      move((at - 1) / 2, at);
      at = (at - 1) / 2;
    }
    put(at, number, due);
  }

  private void sink(int from, int number, long due) {
    int at = from;
    int child = 2 * at + 1;
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
    put(at, number, due);
  }

  private void move(int from, int to) {
    put(to, numbers[from], dueMillis[from]);
  }

  private void put(int at, int number, long due) {
    numbers[at] = number;
    dueMillis[at] = due;
    places[number] = at;
  }
}
