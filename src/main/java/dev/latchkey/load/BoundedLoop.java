package dev.latchkey.load;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.IntFunction;

/** Runs numbered tasks, so many at a time. Used from one event loop. */
final class BoundedLoop {
  private final int count;
  private final int atOnce;
  private final IntFunction<Future<Void>> task;
  private final Promise<Void> done = Promise.promise();
  private int next;
  private int running;
  private boolean starting;

  private BoundedLoop(int count, int atOnce, IntFunction<Future<Void>> task) {
    this.count = count;
    this.atOnce = atOnce;
    this.task = task;
  }

  /**
   * Runs the task for 0 to count, exclusive.
   *
   * @param count how often
   * @param atOnce most that run at a time
   * @param task fails only when something is broken, which then ends the loop
   */
  static Future<Void> run(int count, int atOnce, IntFunction<Future<Void>> task) {
    BoundedLoop loop = new BoundedLoop(count, atOnce, task);
    loop.start();
    return loop.done.future();
  }

  /** Not re-entered by a task that is done at once, so that the stack stays flat. */
  private void start() {
    if (starting) {
      return;
    }
    starting = true;
    while (next < count && running < atOnce) {
      running++;
      task.apply(next++).onSuccess(v -> ended()).onFailure(done::tryFail);
    }
    starting = false;
    if (next == count && running == 0) {
      done.tryComplete();
    }
  }

  private void ended() {
    running--;
    start();
  }
}
