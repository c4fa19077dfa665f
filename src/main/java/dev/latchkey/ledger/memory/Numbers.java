package dev.latchkey.ledger.memory;

import java.util.Arrays;

/** A growing list of numbers of payments. Not thread-safe. */
final class Numbers {

  private static final int FIRST_ROOM = 2;

  private int[] numbers = new int[FIRST_ROOM];
  private int size;

  /** An empty list. */
  static Numbers none() {
    return new Numbers();
  }

  int size() {
    return size;
  }

  int get(int index) {
    return numbers[index];
  }

  void add(int number) {
    if (size == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * size);
    }
    numbers[size++] = number;
  }

  /** Finds a number in a list that ascends; negative where it is not. */
  int indexOf(int number) {
    return Arrays.binarySearch(numbers, 0, size, number);
  }

  /** The same numbers, the last one first. */
  Numbers reversed() {
    Numbers reversed = new Numbers();
    for (int i = size - 1; i >= 0; i--) {
      reversed.add(numbers[i]);
    }
    return reversed;
  }
}
