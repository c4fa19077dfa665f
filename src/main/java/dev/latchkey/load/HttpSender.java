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
 * AttemptEnd.Broken}.
 */
final class HttpSender {

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
  HttpSender(Vertx vertx, int connections, Patience patience) {
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
   * @return how it ended
   */
  Future<AttemptEnd> send(
      RequestOptions request,
      Buffer body,
      OptionalLong hangUpMillis,
      long limitMillis,
      LongConsumer whenSent) {
    request.setConnectTimeout(patience.connectMillis());
    Promise<AttemptEnd> end = Promise.promise();
    client
        .request(request)
        .onSuccess(
            opened -> {
              Exchange exchange = new Exchange(opened, end);
              whenSent.accept(exchange.start(body, hangUpMillis, limitMillis));
            })
        .onFailure(cause -> end.complete(new AttemptEnd.Broken(oneLine(cause))));
    return end.future();
  }

  private static String oneLine(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    return Shown.text(message.lines().findFirst().orElse("connection failed"));
  }

  /** One attempt on its connection; ends exactly once. */
  private final class Exchange {
    private final HttpClientRequest request;
    private final Promise<AttemptEnd> end;
    private final Buffer body = Buffer.buffer();
    private long sentNanos;

    Exchange(HttpClientRequest request, Promise<AttemptEnd> end) {
      this.request = request;
      this.end = end;
    }

    long start(Buffer sent, OptionalLong hangUpMillis, long limitMillis) {
      long limit =
          vertx.setTimer(
              limitMillis, id -> cut(new AttemptEnd.Broken("no answer in " + limitMillis + " ms")));
      end.future().onComplete(ended -> vertx.cancelTimer(limit));
      sentNanos = System.nanoTime();
      request
          .response()
          .onSuccess(this::read)
          .onFailure(cause -> end.tryComplete(new AttemptEnd.Broken(oneLine(cause))));
      Future<Void> written = request.end(sent);
      if (hangUpMillis.isPresent()) {
        written.onSuccess(done -> hangUpAfter(hangUpMillis.getAsLong()));
      }
      return sentNanos;
    }

    private void hangUpAfter(long millis) {
      if (millis == 0) {
        cut(new AttemptEnd.HungUp());
        return;
      }
      long timer = vertx.setTimer(millis, id -> cut(new AttemptEnd.HungUp()));
      end.future().onComplete(ended -> vertx.cancelTimer(timer));
    }

    private void cut(AttemptEnd why) {
      if (end.tryComplete(why)) {
        request.reset();
      }
    }

    private void read(HttpClientResponse response) {
      response.exceptionHandler(cause -> end.tryComplete(new AttemptEnd.Broken(oneLine(cause))));
      response.handler(
          chunk -> {
            if (body.length() + chunk.length() > MAX_ANSWER_BYTES) {
              cut(new AttemptEnd.Broken("an answer of more than " + MAX_ANSWER_BYTES + " bytes"));
            } else {
              body.appendBuffer(chunk);
            }
          });
      response.endHandler(
          whole ->
              end.tryComplete(
                  new AttemptEnd.Answered(
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
