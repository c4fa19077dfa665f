package dev.latchkey.psp;

import io.vertx.core.Vertx;

/** Runs something later. Injected wherever time passes, so that a test need not wait. */
@FunctionalInterface
public interface DelayScheduler {

  /** A task that waits for its time. */
  @FunctionalInterface
  interface Scheduled {
    /** Drops the task, unless it has begun. Safe on any thread, any number of times. */
    void cancel();
  }

  /**
   * Runs a task once, after a delay, on a thread of the scheduler's choice, never within this call.
   *
   * @param delayMillis how long to wait, at least; 0 or more
   * @param task must not block
   * @return a handle to cancel it
   */
  Scheduled after(long delayMillis, Runnable task);

  /**
   * A scheduler over Vert.x timers: the task runs on the context that asked.
   *
   * @param vertx whose timers to use; closing it drops what waits
   * @return the scheduler
   */
  static DelayScheduler of(Vertx vertx) {
    return (delayMillis, task) -> {
      long timer = vertx.setTimer(Math.max(1, delayMillis), id -> task.run());
      return () -> vertx.cancelTimer(timer);
    };
  }
}
