package dev.latchkey.load;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.OptionalLong;

/**
 * Sends the requests of a plan when they are due. A key starts when there is room for all its
 * requests, or for the maximum in flight, so that its duplicates are sent together. Confined to one
 * event loop.
 */
final class LoadGenerator {

  /** Clock resolution of the open loop; a late start counts as latency. */
  private static final long TICK_MILLIS = 1;

  private final RetryingClient.Shared shared;
  private final LoadPlan plan;
  private final Arrivals arrivals;
  private final Promise<Void> done = Promise.promise();
  private int operation = -1;
  private int duplicate;
  private long dueNanos;
  private int inFlight;
  private boolean ending;
  private boolean stopped;
  private boolean admitting;

  LoadGenerator(RetryingClient.Shared shared) {
    this.shared = shared;
    this.plan = shared.plan();
    this.arrivals = new Arrivals(plan.arrivals(), plan.keys(), System.nanoTime());
    this.duplicate = plan.retries();
  }

  /** Sends the requests; completes when all are finished. */
  Future<Void> run() {
    if (plan.arrivals().open()) {
      Vertx vertx = shared.vertx();
      long ticks = vertx.setPeriodic(TICK_MILLIS, id -> admit());
      done.future().onComplete(ended -> vertx.cancelTimer(ticks));
    }
    admit();
    return done.future();
  }

  /** Returns the operations of the open loop that were due and not started. */
  long notStarted() {
    return arrivals.notStarted();
  }

  /** Stops new requests. Those in flight, and their retries, finish. */
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

  /** Returns whether {@link #stop()} was called before all requests were sent. */
  boolean stopped() {
    return stopped;
  }

  /** Not re-entered by a client that finishes at once, so that the stack stays flat. */
  private void admit() {
    if (admitting) {
      return;
    }
    admitting = true;
    while (!ending
        && inFlight < plan.concurrency()
        && (duplicate < plan.retries() || startsNext())) {
      if (shared.stall().expired()) {
        abandon();
      } else {
        inFlight++;
        new RetryingClient(shared, operation, duplicate++, dueNanos, this::finished).send();
      }
    }
    admitting = false;
    boolean allSent = duplicate == plan.retries() && (ending || arrivals.over(System.nanoTime()));
    if (allSent && inFlight == 0) {
      done.tryComplete();
    }
  }

  /** Starts the next key if one is due and has room. */
  private boolean startsNext() {
    if (plan.concurrency() - inFlight < Math.min(plan.retries(), plan.concurrency())) {
      return false;
    }
    long now = System.nanoTime();
    OptionalLong due = arrivals.next(now);
    if (due.isEmpty()) {
      return false;
    }
    dueNanos = due.getAsLong();
    operation++;
    duplicate = 0;
    shared.recorder().startedOperations(1);
    shared.recorder().startDelay.record(now - dueNanos);
    return true;
  }

  private void abandon() {
    ending = true;
    long unstarted = arrivals.abandon();
    long unsent = plan.retries() - duplicate + unstarted * plan.retries();
    shared.recorder().startedOperations(unstarted);
    shared.recorder().unanswered(operation, unsent);
    duplicate = plan.retries();
  }

  private void finished() {
    inFlight--;
    admit();
  }
}
