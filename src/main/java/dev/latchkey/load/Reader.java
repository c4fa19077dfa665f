package dev.latchkey.load;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Reads JSON objects for the audit, each attempt from the next node. Used from one event loop. */
final class Reader {
  private final Vertx vertx;
  private final Wire wire;
  private final List<Endpoint> nodes;
  private final Optional<String> apiKey;
  private final Patience patience;
  private final Stall stall;
  private final RandomGenerator random = new SplittableRandom();

  /**
   * For one service.
   *
   * @param vertx for the pauses
   * @param wire sends
   * @param nodes of the service, at least one
   * @param apiKey the bearer secret it wants
   * @param patience how often and how long
   */
  Reader(Vertx vertx, Wire wire, List<Endpoint> nodes, Optional<String> apiKey, Patience patience) {
    this.vertx = vertx;
    this.wire = wire;
    this.nodes = nodes;
    this.apiKey = apiKey;
    this.patience = patience;
    this.stall = new Stall(patience.stallMillis());
  }

  /** One attempt at one node. */
  Future<Outcome> once(Endpoint node, String path) {
    RequestOptions request = node.request(HttpMethod.GET, path);
    apiKey.ifPresent(key -> request.putHeader("Authorization", "Bearer " + key));
    return wire.send(request, Buffer.buffer(), OptionalLong.empty());
  }

  /**
   * Reads until there is an answer that a retry would not change, or patience is at an end.
   *
   * @param path with its query
   * @param firstNode where to begin
   * @return the object of a 2xx, else empty
   */
  Future<Optional<JsonObject>> read(String path, int firstNode) {
    Promise<Optional<JsonObject>> result = Promise.promise();
    if (stall.expired()) {
      result.complete(Optional.empty());
    } else {
      attempt(path, firstNode, 1, System.nanoTime(), result);
    }
    return result.future();
  }

  private void attempt(
      String path,
      int firstNode,
      int number,
      long beganNanos,
      Promise<Optional<JsonObject>> result) {
    Endpoint node = nodes.get((int) (((long) firstNode + number - 1) % nodes.size()));
    once(node, path)
        .onSuccess(
            outcome -> {
              OptionalLong retryAfter = OptionalLong.empty();
              if (outcome instanceof Outcome.Answered answer) {
                retryAfter = answer.retryAfterSeconds();
                if (!answer.retryable()) {
                  stall.progress();
                  result.complete(answer.succeeded() ? answer.json() : Optional.empty());
                  return;
                }
              }
              stall.trouble();
              long delay = patience.delayMillis(number, retryAfter, random);
              if (worthARetry(number, beganNanos, delay)) {
                vertx.setTimer(
                    delay, id -> attempt(path, firstNode, number + 1, beganNanos, result));
              } else {
                result.complete(Optional.empty());
              }
            });
  }

  private boolean worthARetry(int number, long beganNanos, long delayMillis) {
    long spent = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
    return number < patience.attempts()
        && spent + delayMillis <= patience.requestMillis()
        && !stall.expired();
  }
}
