package dev.latchkey.net;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The heap that data in memory may take in total: memory store, memory ledger and in-process PSP.
 * Every component reports what it keeps. The store rejects new keys once the budget is spent, so
 * that accepted work can always finish. Safe for use by any thread.
 */
public final class MemoryBudget {

  private final long limitBytes;
  private final AtomicLong usedBytes = new AtomicLong();

  /**
   * Makes a budget.
   *
   * @param limitBytes use at which new keys are rejected, positive
   */
  public MemoryBudget(long limitBytes) {
    if (limitBytes <= 0) {
      throw new IllegalArgumentException("budget of " + limitBytes + " bytes is not positive");
    }
    this.limitBytes = limitBytes;
  }

  /**
   * Makes the default budget: a quarter of the maximum heap. Low estimates then still stay below a
   * third.
   *
   * @return the budget
   */
  public static MemoryBudget ofHeap() {
    return new MemoryBudget(Runtime.getRuntime().maxMemory() / 4);
  }

  /**
   * Counts bytes that were added or, if negative, dropped. Never rejects.
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

  /** Returns whether new keys are to be rejected. */
  public boolean isSpent() {
    return usedBytes.get() >= limitBytes;
  }
}
