package dev.latchkey.load;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;

/**
 * Sends single attempts over HTTP/1.1 connections that are kept. Used from one event loop, which
 * then also owns the connections. Its futures never fail; what goes wrong is a {@link
 * Outcome.Broken}.
 */
final class Wire {

  /** Longest answer that is read; a longer one is broken. */
  static final int MAX_ANSWER_BYTES = 4 << 20;

  private final Vertx vertx;
  private final HttpClient client;
  private final Patience patience;

  /**
   * Opens the client.
   *
   * @param vertx whose event loop the caller is on
   * @param connections most connections to one node, as many as there are requests in flight
   * @param patience for connecting and for an answer
   */
  Wire(Vertx vertx, int connections, Patience patience) {
    this.vertx = vertx;
    this.patience = patience;
    HttpClientOptions options =
        new HttpClientOptions()
            .setProtocolVersion(HttpVersion.HTTP_1_1)
            .setKeepAlive(true)
            .setPipelining(false)
            .setConnectTimeout((int) patience.connectMillis());
    this.client =
        vertx
            .httpClientBuilder()
            .with(options)
            .with(new PoolOptions().setHttp1MaxSize(connections).setMaxWaitQueueSize(-1))
            .build();
  }

  /**
   * Sends one attempt.
   *
   * @param request where to
   * @param body empty for none
   * @param hangUpMillis when to hang up, counted from sending; 0 is at once
   * @param limitMillis how long the answer may take, counted from sending
   * @param whenSent told by {@link System#nanoTime()} when the request was written
   * @return what came of it
   */
  Future<Outcome> send(
      RequestOptions request,
      Buffer body,
      OptionalLong hangUpMillis,
      long limitMillis,
      LongConsumer whenSent) {
    request.setConnectTimeout(patience.connectMillis());
    Promise<Outcome> outcome = Promise.promise();
    client
        .request(request)
        .onSuccess(
            opened -> {
              Exchange exchange = new Exchange(opened, outcome);
              whenSent.accept(exchange.start(body, hangUpMillis, limitMillis));
            })
        .onFailure(cause -> outcome.complete(new Outcome.Broken(oneLine(cause))));
    return outcome.future();
  }

  private static String oneLine(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    return Shown.text(message.lines().findFirst().orElse("connection failed"));
  }

  /** One attempt on its connection; ends exactly once. */
  private final class Exchange {
    private final HttpClientRequest request;
    private final Promise<Outcome> outcome;
    private final Buffer body = Buffer.buffer();
    private long sentNanos;

    Exchange(HttpClientRequest request, Promise<Outcome> outcome) {
      this.request = request;
      this.outcome = outcome;
    }

    long start(Buffer sent, OptionalLong hangUpMillis, long limitMillis) {
      long limit =
          vertx.setTimer(
              limitMillis, id -> cut(new Outcome.Broken("no answer in " + limitMillis + " ms")));
      outcome.future().onComplete(ended -> vertx.cancelTimer(limit));
      sentNanos = System.nanoTime();
      request
          .response()
          .onSuccess(this::read)
          .onFailure(cause -> outcome.tryComplete(new Outcome.Broken(oneLine(cause))));
      Future<Void> written = request.end(sent);
      if (hangUpMillis.isPresent()) {
        written.onSuccess(done -> hangUpAfter(hangUpMillis.getAsLong()));
      }
      return sentNanos;
    }

    private void hangUpAfter(long millis) {
      if (millis == 0) {
        cut(new Outcome.HungUp());
        return;
      }
      long timer = vertx.setTimer(millis, id -> cut(new Outcome.HungUp()));
      outcome.future().onComplete(ended -> vertx.cancelTimer(timer));
    }

    private void cut(Outcome why) {
      if (outcome.tryComplete(why)) {
        request.reset();
      }
    }

    private void read(HttpClientResponse response) {
      response.exceptionHandler(cause -> outcome.tryComplete(new Outcome.Broken(oneLine(cause))));
      response.handler(
          chunk -> {
            if (body.length() + chunk.length() > MAX_ANSWER_BYTES) {
              cut(new Outcome.Broken("an answer of more than " + MAX_ANSWER_BYTES + " bytes"));
            } else {
              body.appendBuffer(chunk);
            }
          });
      response.endHandler(
          end ->
              outcome.tryComplete(
                  new Outcome.Answered(
                      response.statusCode(),
                      "true".equalsIgnoreCase(response.getHeader("Idempotent-Replayed")),
                      Optional.ofNullable(response.getHeader("Retry-After")),
                      response.headers(),
                      body,
                      sentNanos,
                      System.nanoTime())));
    }
  }
}
