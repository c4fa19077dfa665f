package dev.latchkey.core;

/** The event loop on which a request lives: one task at a time. */
public interface EventLoop {

  /**
   * Runs a task here: at once when called from here, else soon.
   *
   * @param task must not block
   */
  void run(Runnable task);

  /**
   * Runs a task here after what is waiting already.
   *
   * @param task must not block
   */
  void later(Runnable task);

  /**
   * Runs a task here after a delay.
   *
   * @param delayMillis at least 1
   * @param task must not block
   * @return cancels it
   */
  Environment.Timer after(long delayMillis, Runnable task);
}
