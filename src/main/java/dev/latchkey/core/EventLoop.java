package dev.latchkey.core;

/** The event loop of a request. Runs one task at a time. */
public interface EventLoop {

  /**
   * Runs a task on this loop, immediately if called on it.
   *
   * @param task must not block
   */
  void run(Runnable task);

  /**
   * Runs a task on this loop after its queued tasks.
   *
   * @param task must not block
   */
  void later(Runnable task);

  /**
   * Runs a task on this loop after a delay.
   *
   * @param delayMillis at least 1
   * @param task must not block
   * @return the timer
   */
  Environment.Timer after(long delayMillis, Runnable task);
}
