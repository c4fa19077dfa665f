package dev.latchkey.core;

import dev.latchkey.core.spi.Token;

/** What the control flow of a node needs of the world besides its store. */
public interface Surroundings {

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
   * Carries news to every lot of this node, in order, each on its own loop, after the current task
   * of that loop.
   *
   * @param news what happened to a key
   */
  void announce(News news);

  /** Returns 128 random bits. */
  Token newToken();
}
