package dev.latchkey.store.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much heap all that lives in memory may take together: the store, the ledger, the simulated
 * PSP. Whoever keeps something says so here; the store refuses new keys once the budget is spent,
 * so that what was begun can always be finished. Safe for use by any thread.
 */
public final class MemoryBudget {

  private final long limitBytes;
  private final AtomicLong usedBytes = new AtomicLong();

  /**
   * Makes a budget.
   *
   * @param limitBytes when to refuse new keys, positive
   */
  public MemoryBudget(long limitBytes) {
    if (limitBytes <= 0) {
      throw new IllegalArgumentException("budget of " + limitBytes + " bytes is not positive");
    }
    this.limitBytes = limitBytes;
  }

  /**
   * The default: a quarter of the heap, so that estimates that are a little low still stay below a
   * third.
   *
   * @return the budget
   */
  public static MemoryBudget ofHeap() {
    return new MemoryBudget(Runtime.getRuntime().maxMemory() / 4);
  }

  /**
   * Counts what was kept or, negative, dropped. Never refuses.
   *
   * @param bytes estimated heap bytes
   */
  public void add(long bytes) {
    usedBytes.addAndGet(bytes);
  }

  /** Returns what is in use, in bytes. */
  public long usedBytes() {
    return usedBytes.get();
  }

  /** Returns true once nothing new should be begun. */
  public boolean isSpent() {
    return usedBytes.get() >= limitBytes;
  }
}
