package dev.latchkey.load;

import dev.latchkey.net.BaseUrl;
import dev.latchkey.net.BoundedExchange.Outcome;
import dev.latchkey.net.BoundedHttpClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Reads JSON objects from one node or from the PSP, with retries. The stall limits apply to all
 * reads together: once the server has failed or been silent for too long, no read waits for it.
 * Confined to one event loop.
 */
final class NodeReader {

  private static final int MAX_PROBES = 3;

  /** The result of a read with its retries. */
  sealed interface Result {

    /** A 2xx with a JSON object. */
    record Found(JsonObject object) implements Result {}

    record Rejected() implements Result {}

    /** No response; the reason is one line. */
    record Silent(String reason) implements Result {}

    default Optional<JsonObject> found() {
      return this instanceof Found found ? Optional.of(found.object()) : Optional.empty();
    }
  }

  private final Vertx vertx;
  private final BoundedHttpClient client;
  private final BaseUrl url;
  private final Optional<String> apiKey;
  private final RetryPolicy policy;
  private final StallDetector failures;
  private final RandomGenerator random = new SplittableRandom();
  private StallDetector silence;
  private String lastReason = "no response";

  NodeReader(
      Vertx vertx,
      BoundedHttpClient client,
      BaseUrl url,
      Optional<String> apiKey,
      RetryPolicy policy) {
    this.vertx = vertx;
    this.client = client;
    this.url = url;
    this.apiKey = apiKey;
    this.policy = policy;
    this.failures = new StallDetector(policy.stallMillis());
    this.silence = new StallDetector(policy.stallMillis());
  }

  String url() {
    return url.url();
  }

  /** Sends one request, limited to {@link RetryPolicy#readMillis()}. */
  Future<Outcome> readOnce(String path) {
    RequestOptions request =
        url.request(HttpMethod.GET, path).setConnectTimeout(policy.connectMillis());
    apiKey.ifPresent(key -> request.putHeader("Authorization", "Bearer " + key));
    return client.send(request, Buffer.buffer(), policy.readMillis()).outcome();
  }

  /**
   * Returns whether the server responds at all. A broken connection may be an old one and is
   * retried; silence is not.
   */
  Future<Boolean> responds(String path) {
    return responds(path, 1);
  }

  private Future<Boolean> responds(String path, int probes) {
    long startNanos = System.nanoTime();
    return readOnce(path)
        .compose(
            outcome -> {
              if (outcome instanceof Outcome.Response) {
                return Future.succeededFuture(true);
              }
              lastReason = reason(outcome);
              boolean silent = millisSince(startNanos) >= policy.readMillis();
              return silent || probes == MAX_PROBES
                  ? Future.succeededFuture(false)
                  : delay(probes, OptionalLong.empty())
                      .compose(elapsed -> responds(path, probes + 1));
            });
  }

  /** Limits the silence of all further reads together; 0 stops reading. */
  void limitSilence(long millis) {
    silence = new StallDetector(millis);
    if (millis == 0) {
      silence.failed();
    }
  }

  /** Reads until a response that a retry would not change, or until a limit is reached. */
  Future<Result> read(String path) {
    if (silence.expired()) {
      return Future.succeededFuture(new Result.Silent(lastReason));
    }
    return failures.expired()
        ? Future.succeededFuture(new Result.Rejected())
        : read(path, 1, System.nanoTime());
  }

  private Future<Result> read(String path, int sends, long startNanos) {
    return readOnce(path)
        .compose(
            outcome -> {
              if (!(outcome instanceof Outcome.Response complete)) {
                lastReason = reason(outcome);
                silence.failed();
                return retry(path, sends, startNanos, OptionalLong.empty());
              }
              silence.succeeded();
              LoadResponse response = LoadResponse.of(complete);
              if (response.retryable()) {
                return retry(path, sends, startNanos, response.retryAfterSeconds());
              }
              failures.succeeded();
              return Future.succeededFuture(result(response));
            });
  }

  private static Result result(LoadResponse response) {
    Optional<JsonObject> object = response.succeeded() ? response.json() : Optional.empty();
    return object.isPresent() ? new Result.Found(object.get()) : new Result.Rejected();
  }

  private Future<Result> retry(
      String path, int sends, long startNanos, OptionalLong retryAfterSeconds) {
    failures.failed();
    boolean last = sends >= policy.attempts() || millisSince(startNanos) >= policy.requestMillis();
    if (silence.expired() || (last && silence.isFailing())) {
      return Future.succeededFuture(new Result.Silent(lastReason));
    }
    return last || failures.expired()
        ? Future.succeededFuture(new Result.Rejected())
        : delay(sends, retryAfterSeconds).compose(elapsed -> read(path, sends + 1, startNanos));
  }

  private Future<Void> delay(int sends, OptionalLong retryAfterSeconds) {
    return vertx.timer(policy.delayMillis(sends, retryAfterSeconds, random), TimeUnit.MILLISECONDS);
  }

  /** Returns why there is no response, fit for a terminal. */
  static String reason(Outcome outcome) {
    return DisplayText.of(
        outcome instanceof Outcome.NotSent notSent
            ? notSent.reason()
            : outcome instanceof Outcome.Lost lost ? lost.reason() : "");
  }

  private static long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }
}
