package dev.latchkey.core;

import dev.latchkey.core.spi.Token;

/** Clock, timers, event bus and random numbers of an engine. */
public interface Environment {

  /** A scheduled task. */
  @FunctionalInterface
  interface Timer {
    /** Does nothing. */
    Timer NONE = () -> {};

    /** Cancels the task unless it has begun. */
    void cancel();
  }

  /** Returns a monotonic time in nanoseconds. */
  long nowNanos();

  /**
   * Runs a task later, on any thread.
   *
   * @param delayMillis at least 1
   * @param task must not block
   * @return the timer
   */
  Timer after(long delayMillis, Runnable task);

  /**
   * Delivers an event to every parking lot of this node, in order, each on its own event loop and
   * after that loop's current task.
   *
   * @param event a change of an entry
   */
  void publish(EntryEvent event);

  /** Returns 128 random bits. */
  Token newToken();
}
