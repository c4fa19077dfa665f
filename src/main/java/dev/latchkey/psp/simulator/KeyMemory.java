package dev.latchkey.psp.simulator;

import dev.latchkey.net.MemoryBudget;
import org.jspecify.annotations.Nullable;

/**
 * Counts the simulator's memory against the budget. Past the budget the simulator accepts a bounded
 * amount more, so that payments whose keys are already claimed can finish. Not thread-safe; guarded
 * by the simulator.
 */
final class KeyMemory {
  private static final long MAX_OVERRUN_BYTES = 16L << 20;

  // A charge with a key of 64 characters took 634 bytes (100,000 charges, 64-bit JVM with
  // compressed references); other calls take less.
  private static final long BYTES_PER_KEY = 700;

  private final MemoryBudget budget;
  private final long maxOverrunBytes;
  private long overrunBytes;

  KeyMemory(MemoryBudget budget, long maxOverrunBytes) {
    this.budget = budget;
    this.maxOverrunBytes = maxOverrunBytes;
  }

  /** The budget is a quarter of the heap; with a sixteenth more, the total is below a third. */
  static KeyMemory of(MemoryBudget budget) {
    return new KeyMemory(
        budget, Math.min(MAX_OVERRUN_BYTES, Runtime.getRuntime().maxMemory() / 16));
  }

  boolean isSpent() {
    return budget.isSpent() && overrunBytes >= maxOverrunBytes;
  }

  void add(@Nullable String key) {
    long bytes = BYTES_PER_KEY + (key == null ? 0 : key.length());
    overrunBytes = budget.isSpent() ? overrunBytes + bytes : 0;
    budget.add(bytes);
  }
}
