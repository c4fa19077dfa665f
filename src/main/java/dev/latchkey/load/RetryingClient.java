package dev.latchkey.load;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * One request of an operation, over as many attempts as it takes: a client that retries with its
 * key until it knows, each attempt at the next node. Used from one event loop.
 */
final class RetryingClient {

  /** What every client of a run shares. */
  record Shared(
      Vertx vertx,
      HttpSender sender,
      LoadPlan plan,
      Patience patience,
      LoadRecorder recorder,
      Stall stall,
      RandomGenerator random) {}

  /** A hang-up comes within this, or within the time that the PSP takes if that is longer. */
  private static final long SHORTEST_HANG_UP_MILLIS = 2;

  private final Shared shared;
  private final int operation;
  private final int duplicate;
  private final long intendedNanos;
  private final Runnable whenDone;
  private final long beganNanos = System.nanoTime();
  private boolean hangsUp;
  private int attempts;

  /**
   * One of an operation's clients.
   *
   * @param shared what the run shares
   * @param operation which key
   * @param duplicate which of its requests
   * @param intendedNanos when it was meant to be sent; the open loop's latency counts from it
   * @param whenDone called once, when the request is over
   */
  RetryingClient(
      Shared shared, int operation, int duplicate, long intendedNanos, Runnable whenDone) {
    this.shared = shared;
    this.operation = operation;
    this.duplicate = duplicate;
    this.intendedNanos = intendedNanos;
    this.whenDone = whenDone;
    this.hangsUp = shared.random().nextDouble() < shared.plan().hangUpShare();
  }

  /** Sends the next attempt. */
  void attempt() {
    LoadPlan plan = shared.plan();
    RequestOptions request =
        plan.node(operation, duplicate, attempts)
            .request(HttpMethod.POST, "/v1/payments")
            .putHeader("Content-Type", "application/json")
            .putHeader("Idempotency-Key", plan.key(operation));
    plan.apiKey().ifPresent(key -> request.putHeader("Authorization", "Bearer " + key));
    attempts++;
    shared
        .sender()
        .send(
            request,
            plan.body(operation),
            hangUpMillis(),
            shared.patience().attemptMillis(),
            shared.recorder()::sent)
        .onSuccess(this::decide);
  }

  private OptionalLong hangUpMillis() {
    if (!hangsUp) {
      return OptionalLong.empty();
    }
    hangsUp = false;
    long bound = Math.max(SHORTEST_HANG_UP_MILLIS, shared.plan().slowMillis());
    return OptionalLong.of(shared.random().nextLong(bound));
  }

  private void decide(AttemptEnd end) {
    LoadRecorder recorder = shared.recorder();
    if (end instanceof AttemptEnd.Answered answer) {
      if (answer.succeeded()) {
        boolean open = shared.plan().pace().open();
        long from = open ? intendedNanos : answer.sentNanos();
        recorder.succeeded(operation, answer, answer.answeredNanos() - from);
        done();
        return;
      }
      recorder.turnedDown(answer);
      if (answer.retryable()) {
        retry(answer.retryAfterSeconds());
      } else {
        recorder.refused(operation, answer);
        done();
      }
    } else if (end instanceof AttemptEnd.Broken broken) {
      recorder.broken(broken);
      retry(OptionalLong.empty());
    } else {
      recorder.hungUp();
      attempt();
    }
  }

  private void retry(OptionalLong retryAfterSeconds) {
    Patience patience = shared.patience();
    shared.stall().trouble();
    long delay = patience.delayMillis(attempts, retryAfterSeconds, shared.random());
    long spent = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
    boolean tooLate = spent + delay > patience.requestMillis();
    if (tooLate || attempts >= patience.attempts() || shared.stall().expired()) {
      shared.recorder().unanswered(operation, 1);
      whenDone.run();
      return;
    }
    shared.recorder().retried();
    shared.vertx().setTimer(delay, id -> attempt());
  }

  private void done() {
    shared.stall().progress();
    whenDone.run();
  }
}
