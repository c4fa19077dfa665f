package dev.latchkey.load;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.OptionalLong;

/**
 * Sends the requests of a plan as they fall due. A key begins when there is room for all its
 * requests, or for as many as may be in flight at all, so that its duplicates go out together. Used
 * from one event loop.
 */
final class Storm {

  /** How finely the open loop looks at the clock; what it starts late counts as latency. */
  private static final long TICK_MILLIS = 1;

  private final RetryingClient.Shared shared;
  private final LoadPlan plan;
  private final Arrivals arrivals;
  private final Promise<Void> done = Promise.promise();
  private int operation = -1;
  private int duplicate;
  private long intendedNanos;
  private int inFlight;
  private boolean ending;
  private boolean stopped;
  private boolean admitting;

  /**
   * A storm that begins now.
   *
   * @param shared what its clients share
   */
  Storm(RetryingClient.Shared shared) {
    this.shared = shared;
    this.plan = shared.plan();
    this.arrivals = plan.pace().begin(plan.keys(), System.nanoTime());
    this.duplicate = plan.retries();
  }

  /** Sends; completes when every request is over. */
  Future<Void> run() {
    if (plan.pace().open()) {
      Vertx vertx = shared.vertx();
      long ticks = vertx.setPeriodic(TICK_MILLIS, id -> admit());
      done.future().onComplete(ended -> vertx.cancelTimer(ticks));
    }
    admit();
    return done.future();
  }

  /** Operations of the open loop that fell due and were never started. */
  long notStarted() {
    return arrivals.notStarted();
  }

  /** Sends nothing new; what is in flight, and its retries, come to their own end. */
  void stop() {
    boolean allSent = duplicate == plan.retries() && arrivals.over(System.nanoTime());
    if (ending || allSent) {
      return;
    }
    ending = true;
    stopped = true;
    arrivals.abandon();
    shared.recorder().notSent(plan.retries() - duplicate);
    duplicate = plan.retries();
    admit();
  }

  /** Whether {@link #stop()} came before all was sent. */
  boolean stopped() {
    return stopped;
  }

  /** Not re-entered by a client that ends at once, so that the stack stays flat. */
  private void admit() {
    if (admitting) {
      return;
    }
    admitting = true;
    while (!ending && inFlight < plan.concurrency() && (duplicate < plan.retries() || begins())) {
      if (shared.stall().expired()) {
        giveUp();
      } else {
        inFlight++;
        new RetryingClient(shared, operation, duplicate++, intendedNanos, this::ended).attempt();
      }
    }
    admitting = false;
    boolean allSent = duplicate == plan.retries() && (ending || arrivals.over(System.nanoTime()));
    if (allSent && inFlight == 0) {
      done.tryComplete();
    }
  }

  /** Turns to the next key, if one is due and there is room for it. */
  private boolean begins() {
    if (plan.concurrency() - inFlight < Math.min(plan.retries(), plan.concurrency())) {
      return false;
    }
    long now = System.nanoTime();
    OptionalLong due = arrivals.next(now);
    if (due.isEmpty()) {
      return false;
    }
    intendedNanos = due.getAsLong();
    operation++;
    duplicate = 0;
    shared.recorder().began(1);
    shared.recorder().startedLate(now - intendedNanos);
    return true;
  }

  private void giveUp() {
    ending = true;
    long owed = arrivals.abandon();
    long unsent = plan.retries() - duplicate + owed * plan.retries();
    shared.recorder().began(owed);
    shared.recorder().unanswered(operation, unsent);
    duplicate = plan.retries();
  }

  private void ended() {
    inFlight--;
    admit();
  }
}
