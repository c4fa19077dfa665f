package dev.latchkey.net;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.RequestOptions;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request and its response, bounded in size and time. Confined to the context that its
 * {@link BoundedHttpClient} started it on. Its futures never fail, except {@link #written()}.
 */
public final class BoundedExchange {

  /** The end of an exchange. */
  public sealed interface Outcome {

    /**
     * The complete response.
     *
     * @param status HTTP status
     * @param headers response headers
     * @param body complete body
     * @param sentNanos when the request was sent, by {@link System#nanoTime()}
     * @param endNanos when the response was complete, by {@link System#nanoTime()}
     */
    record Response(int status, MultiMap headers, Buffer body, long sentNanos, long endNanos)
        implements Outcome {}

    /**
     * No connection: the server has not seen the request.
     *
     * @param reason one line
     */
    record NotSent(String reason) implements Outcome {}

    /**
     * The request was sent, but no complete response arrived: its effect is unknown.
     *
     * @param reason one line
     */
    record Lost(String reason) implements Outcome {}
  }

  private final Vertx vertx;
  private final int maxBytes;
  private final Promise<Outcome> outcome = Promise.promise();
  private final Promise<Void> written = Promise.promise();
  private final Buffer body = Buffer.buffer();
  private @Nullable HttpClientRequest request;
  private long sentNanos;

  BoundedExchange(Vertx vertx, int maxBytes) {
    this.vertx = vertx;
    this.maxBytes = maxBytes;
  }

  /** Returns the end of this exchange. */
  public Future<Outcome> outcome() {
    return outcome.future();
  }

  /** Completes when the request is written; fails if it cannot be. */
  public Future<Void> written() {
    return written.future();
  }

  /**
   * Ends this exchange and its connection. Has no effect after the end.
   *
   * @param reason one line
   */
  public void abort(String reason) {
    HttpClientRequest sent = request;
    if (outcome.tryComplete(sent == null ? new Outcome.NotSent(reason) : new Outcome.Lost(reason))
        && sent != null) {
      sent.reset();
    }
  }

  void start(HttpClient client, RequestOptions options, Buffer payload, long timeoutMillis) {
    long timer =
        vertx.setTimer(timeoutMillis, id -> abort("no response in " + timeoutMillis + " ms"));
    outcome.future().onComplete(ended -> vertx.cancelTimer(timer));
    client
        .request(options)
        .onSuccess(connected -> send(connected, payload))
        .onFailure(
            e -> {
              outcome.tryComplete(
                  new Outcome.NotSent("no connection: " + ConnectionFailure.reason(e)));
              written.tryFail(e);
            });
  }

  private void send(HttpClientRequest connected, Buffer payload) {
    if (outcome.future().isComplete()) {
      connected.reset();
      return;
    }
    request = connected;
    sentNanos = System.nanoTime();
    connected.response().onSuccess(this::receive).onFailure(this::lose);
    connected.end(payload).onComplete(written);
  }

  private void receive(HttpClientResponse response) {
    response.exceptionHandler(this::lose);
    response.handler(
        chunk -> {
          if (body.length() + chunk.length() > maxBytes) {
            abort("the response exceeds " + maxBytes + " bytes");
          } else {
            body.appendBuffer(chunk);
          }
        });
    response.endHandler(
        end ->
            outcome.tryComplete(
                new Outcome.Response(
                    response.statusCode(),
                    response.headers(),
                    body,
                    sentNanos,
                    System.nanoTime())));
  }

  private void lose(Throwable e) {
    outcome.tryComplete(new Outcome.Lost("connection broken: " + ConnectionFailure.reason(e)));
  }
}
