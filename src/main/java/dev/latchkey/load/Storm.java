package dev.latchkey.load;

import io.vertx.core.Future;
import io.vertx.core.Promise;

/**
 * Sends all requests of a plan, as a closed loop. A key begins when there is room for all its
 * requests, or for as many as may be in flight at all, so that its duplicates go out together. Used
 * from one event loop.
 */
final class Storm {
  private final Caller.Shared shared;
  private final Promise<Void> done = Promise.promise();
  private long nextRequest;
  private long endedRequests;
  private boolean admitting;

  Storm(Caller.Shared shared) {
    this.shared = shared;
  }

  /** Sends; completes when every request is over. */
  Future<Void> run() {
    admit();
    return done.future();
  }

  private void admit() {
    if (admitting) {
      return;
    }
    admitting = true;
    LoadPlan plan = shared.plan();
    while (nextRequest < plan.requests() && hasRoom(plan)) {
      if (shared.stall().expired()) {
        giveUp(plan);
        break;
      }
      int operation = (int) (nextRequest / plan.retries());
      int duplicate = (int) (nextRequest % plan.retries());
      nextRequest++;
      new Caller(shared, operation, duplicate, this::ended).attempt();
    }
    admitting = false;
    if (endedRequests == plan.requests()) {
      done.tryComplete();
    }
  }

  private boolean hasRoom(LoadPlan plan) {
    long room = plan.concurrency() - (nextRequest - endedRequests);
    boolean keyBegins = nextRequest % plan.retries() == 0;
    return room >= (keyBegins ? Math.min(plan.retries(), plan.concurrency()) : 1);
  }

  private void giveUp(LoadPlan plan) {
    long unsent = plan.requests() - nextRequest;
    shared.recorder().unanswered((int) (nextRequest / plan.retries()), unsent);
    nextRequest = plan.requests();
    endedRequests += unsent;
  }

  private void ended() {
    endedRequests++;
    admit();
  }
}
