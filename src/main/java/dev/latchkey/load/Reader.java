package dev.latchkey.load;

import dev.latchkey.net.BaseUrl;
import io.vertx.core.Future;
import io.vertx.core.Promise;
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
 * Reads JSON objects from one node, or from the PSP. Its patience is for all reads together: once
 * the other side has been silent for too long, no read waits for it any more. Used from one event
 * loop.
 */
final class Reader {
  private static final int LOOKS = 3;

  private final Vertx vertx;
  private final HttpSender sender;
  private final BaseUrl endpoint;
  private final Optional<String> apiKey;
  private final Patience patience;
  private final Stall stall;
  private final RandomGenerator random = new SplittableRandom();
  private Stall silence;
  private String lastSilence = "no answer";

  /**
   * For one node.
   *
   * @param vertx for the pauses
   * @param sender sends
   * @param endpoint whom to ask
   * @param apiKey the bearer secret it wants
   * @param patience how often and how long
   */
  Reader(
      Vertx vertx,
      HttpSender sender,
      BaseUrl endpoint,
      Optional<String> apiKey,
      Patience patience) {
    this.vertx = vertx;
    this.sender = sender;
    this.endpoint = endpoint;
    this.apiKey = apiKey;
    this.patience = patience;
    this.stall = new Stall(patience.stallMillis());
    this.silence = new Stall(patience.stallMillis());
  }

  BaseUrl endpoint() {
    return endpoint;
  }

  /** One attempt, which waits for {@link Patience#lookMillis()}. */
  Future<AttemptEnd> once(String path) {
    RequestOptions request = endpoint.request(HttpMethod.GET, path);
    apiKey.ifPresent(key -> request.putHeader("Authorization", "Bearer " + key));
    return sender.send(
        request, Buffer.buffer(), OptionalLong.empty(), patience.lookMillis(), sentNanos -> {});
  }

  /**
   * Whether it answers at all, whatever it says. A connection that breaks is tried again, since it
   * may have been an old one; silence is not.
   */
  Future<Boolean> answers(String path) {
    return answers(path, 1);
  }

  private Future<Boolean> answers(String path, int number) {
    long began = System.nanoTime();
    return once(path)
        .compose(
            end -> {
              if (!(end instanceof AttemptEnd.Broken broken)) {
                return Future.succeededFuture(true);
              }
              lastSilence = broken.why();
              boolean silent = millisSince(began) >= patience.lookMillis();
              return silent || number == LOOKS
                  ? Future.succeededFuture(false)
                  : pause(number).compose(paused -> answers(path, number + 1));
            });
  }

  private Future<?> pause(int number) {
    return vertx.timer(
        patience.delayMillis(number, OptionalLong.empty(), random), TimeUnit.MILLISECONDS);
  }

  /**
   * From now on it may be silent for so long, all reads taken together.
   *
   * @param millis 0 to ask no more
   */
  void limitSilence(long millis) {
    silence = new Stall(millis);
    if (millis == 0) {
      silence.trouble();
    }
  }

  /** Reads until there is an answer that a retry would not change, or patience is at an end. */
  Future<Reading> read(String path) {
    Promise<Reading> result = Promise.promise();
    if (silence.expired()) {
      result.complete(new Reading.Silent(lastSilence));
    } else if (stall.expired()) {
      result.complete(new Reading.Refused());
    } else {
      attempt(path, 1, System.nanoTime(), result);
    }
    return result.future();
  }

  private void attempt(String path, int number, long beganNanos, Promise<Reading> result) {
    once(path)
        .onSuccess(
            end -> {
              if (end instanceof AttemptEnd.Answered answer) {
                silence.progress();
                if (answer.retryable()) {
                  retry(path, number, beganNanos, answer.retryAfterSeconds(), result);
                } else {
                  stall.progress();
                  result.complete(reading(answer));
                }
              } else {
                lastSilence = end instanceof AttemptEnd.Broken broken ? broken.why() : lastSilence;
                silence.trouble();
                retry(path, number, beganNanos, OptionalLong.empty(), result);
              }
            });
  }

  private static Reading reading(AttemptEnd.Answered answer) {
    return (answer.succeeded() ? answer.json() : Optional.<JsonObject>empty())
        .<Reading>map(Reading.Found::new)
        .orElseGet(Reading.Refused::new);
  }

  private void retry(
      String path,
      int number,
      long beganNanos,
      OptionalLong retryAfterSeconds,
      Promise<Reading> result) {
    stall.trouble();
    long delay = patience.delayMillis(number, retryAfterSeconds, random);
    boolean tooLate = millisSince(beganNanos) + delay > patience.requestMillis();
    if (silence.expired() || (silence.inTrouble() && (tooLate || number >= patience.attempts()))) {
      result.complete(new Reading.Silent(lastSilence));
    } else if (tooLate || number >= patience.attempts() || stall.expired()) {
      result.complete(new Reading.Refused());
    } else {
      vertx.setTimer(delay, id -> attempt(path, number + 1, beganNanos, result));
    }
  }

  private static long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }
}
