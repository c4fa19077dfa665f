package dev.latchkey.psp;

import dev.latchkey.net.MemoryBudget;
import java.util.Optional;

/**
 * Counts what the simulator keeps against the memory budget. Past it the simulator still takes a
 * bounded amount, so that the payments already begun when the store stops taking keys can be
 * finished. Not safe for use by several threads; the simulator guards it.
 */
final class PspRoom {
  private static final long MAX_OVERRUN_BYTES = 16L << 20;

  // A charge with a key of 64 characters took 594 bytes in all (100,000 of them, 64-bit JVM with
  // compressed references); other calls take less.
  private static final long BYTES_PER_KEY = 700;

  private final MemoryBudget budget;
  private final long maxOverrunBytes;
  private long overrunBytes;

  PspRoom(MemoryBudget budget, long maxOverrunBytes) {
    this.budget = budget;
    this.maxOverrunBytes = maxOverrunBytes;
  }

  /** A quarter of the heap is the budget; with a sixteenth on top it stays below a third. */
  static PspRoom of(MemoryBudget budget) {
    return new PspRoom(budget, Math.min(MAX_OVERRUN_BYTES, Runtime.getRuntime().maxMemory() / 16));
  }

  boolean isSpent() {
    return budget.isSpent() && overrunBytes >= maxOverrunBytes;
  }

  void keep(Optional<String> key) {
    long bytes = BYTES_PER_KEY + key.map(String::length).orElse(0);
    if (budget.isSpent()) {
      overrunBytes += bytes;
    } else {
      overrunBytes = 0;
    }
    budget.add(bytes);
  }
}
