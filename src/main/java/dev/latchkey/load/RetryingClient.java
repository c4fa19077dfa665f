package dev.latchkey.load;

import dev.latchkey.load.LoadRecorder.Count;
import dev.latchkey.net.BoundedExchange;
import dev.latchkey.net.BoundedExchange.Outcome;
import dev.latchkey.net.BoundedHttpClient;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * One request of an operation: a client that retries with its key until it gets a final response,
 * each time at the next node. Confined to one event loop.
 */
final class RetryingClient {

  /** What all clients of a run share. */
  record Shared(
      Vertx vertx,
      BoundedHttpClient client,
      LoadPlan plan,
      RetryPolicy policy,
      LoadRecorder recorder,
      StallDetector stall,
      RandomGenerator random) {}

  /** Upper limit of the delay before a hang-up, unless a charge takes longer. */
  private static final long MIN_HANG_UP_BOUND_MILLIS = 2;

  private static final String HUNG_UP = "hung up";

  private final Shared shared;
  private final int operation;
  private final int duplicate;
  private final long dueNanos; // latency of the open loop counts from it
  private final Runnable whenDone;
  private final long startNanos = System.nanoTime();
  private boolean willHangUp;
  private int sends;

  RetryingClient(Shared shared, int operation, int duplicate, long dueNanos, Runnable whenDone) {
    this.shared = shared;
    this.operation = operation;
    this.duplicate = duplicate;
    this.dueNanos = dueNanos;
    this.whenDone = whenDone;
    this.willHangUp = shared.random().nextDouble() < shared.plan().hangUpShare();
  }

  void send() {
    LoadPlan plan = shared.plan();
    RequestOptions request =
        plan.node(operation, duplicate, sends)
            .request(HttpMethod.POST, "/v1/payments")
            .setConnectTimeout(shared.policy().connectMillis())
            .putHeader("Content-Type", "application/json")
            .putHeader("Idempotency-Key", plan.key(operation));
    plan.apiKey().ifPresent(key -> request.putHeader("Authorization", "Bearer " + key));
    sends++;
    BoundedExchange exchange =
        shared.client().send(request, plan.body(operation), shared.policy().attemptMillis());
    boolean hangsUp = willHangUp;
    willHangUp = false;
    exchange.written().onSuccess(written -> shared.recorder().sent(System.nanoTime()));
    if (hangsUp) {
      exchange.written().onSuccess(written -> hangUpLater(exchange));
    }
    exchange.outcome().onSuccess(outcome -> evaluate(outcome, hangsUp));
  }

  private void hangUpLater(BoundedExchange exchange) {
    long bound = Math.max(MIN_HANG_UP_BOUND_MILLIS, shared.plan().slowMillis());
    long delayMillis = shared.random().nextLong(bound);
    if (delayMillis == 0) {
      exchange.abort(HUNG_UP);
    } else {
      shared.vertx().setTimer(delayMillis, id -> exchange.abort(HUNG_UP));
    }
  }

  private void evaluate(Outcome outcome, boolean hangsUp) {
    LoadRecorder recorder = shared.recorder();
    if (outcome instanceof Outcome.Response complete) {
      evaluate(LoadResponse.of(complete));
    } else if (hangsUp && outcome instanceof Outcome.Lost lost && lost.reason().equals(HUNG_UP)) {
      recorder.add(Count.HANG_UPS, 1);
      send();
    } else {
      recorder.lost(NodeReader.reason(outcome));
      retry(OptionalLong.empty());
    }
  }

  private void evaluate(LoadResponse response) {
    LoadRecorder recorder = shared.recorder();
    if (response.succeeded()) {
      long fromNanos = shared.plan().arrivals().open() ? dueNanos : response.sentNanos();
      recorder.succeeded(operation, response, response.endNanos() - fromNanos);
      finish();
      return;
    }
    recorder.rejected(response);
    if (response.retryable()) {
      retry(response.retryAfterSeconds());
    } else {
      recorder.refused(operation, response);
      finish();
    }
  }

  private void retry(OptionalLong retryAfterSeconds) {
    RetryPolicy policy = shared.policy();
    shared.stall().failed();
    long delayMillis = policy.delayMillis(sends, retryAfterSeconds, shared.random());
    long spentMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    boolean tooLate = spentMillis + delayMillis > policy.requestMillis();
    if (tooLate || sends >= policy.attempts() || shared.stall().expired()) {
      shared.recorder().unanswered(operation, 1);
      whenDone.run();
      return;
    }
    shared.recorder().add(Count.RETRIES, 1);
    shared.vertx().setTimer(delayMillis, id -> send());
  }

  private void finish() {
    shared.stall().succeeded();
    whenDone.run();
  }
}
