package dev.latchkey.core;

import dev.latchkey.core.spi.Token;

/** What the control engine of a node needs of the world besides its store. */
public interface Environment {

  /** A task that has been put off. */
  @FunctionalInterface
  interface Timer {
    /** Does nothing. */
    Timer NONE = () -> {};

    /** Keeps the task from running, if it has not begun. */
    void cancel();
  }

  /** Returns a monotonic time in nanoseconds. */
  long nowNanos();

  /**
   * Runs a task of the node later, on any thread.
   *
   * @param delayMillis at least 1
   * @param task must not block
   * @return cancels it
   */
  Timer after(long delayMillis, Runnable task);

  /**
   * Carries event to every parkingLot of this node, in order, each on its own loop, after the
   * current task of that loop.
   *
   * @param event what happened to a key
   */
  void publish(EntryEvent event);

  /** Returns 128 random bits. */
  Token newToken();
}
