package dev.latchkey.psp;

import dev.latchkey.psp.DelayScheduler.Scheduled;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.util.Optional;

/**
 * Calls a PSP over HTTP. Connections are kept and bounded: a slow charge holds one for as long as
 * it takes, and calls beyond the bound wait their turn within their own time.
 */
final class HttpPspTransport implements PspTransport {
  static final int CONNECT_TIMEOUT_MILLIS = 2_000;

  private static final int MAX_CONNECTIONS = 1_024;
  private static final int MAX_WAITING = 20_000;
  private static final int MAX_ANSWER_BYTES = 64 << 10;

  private final Vertx vertx;
  private final URI base;
  private final HttpClient client;
  private final DelayScheduler scheduler;

  HttpPspTransport(Vertx vertx, URI base) {
    this.vertx = vertx;
    this.base = HttpUrls.check("psp-url", base);
    this.scheduler = DelayScheduler.of(vertx);
    this.client =
        vertx
            .httpClientBuilder()
            .with(
                new HttpClientOptions()
                    .setSsl(HttpUrls.isTls(base))
                    .setConnectTimeout(CONNECT_TIMEOUT_MILLIS))
            .with(
                new PoolOptions().setHttp1MaxSize(MAX_CONNECTIONS).setMaxWaitQueueSize(MAX_WAITING))
            .withConnectHandler(HttpPspTransport::accept)
            .build();
  }

  @Override
  public Future<Attempt> send(String key, PspCall call, long timeoutMillis) {
    Exchange exchange = new Exchange(key, call, timeoutMillis);
    // An exchange is confined to one context; a caller that has none is given one.
    if (Vertx.currentContext() == null) {
      vertx.getOrCreateContext().runOnContext(now -> exchange.begin());
    } else {
      exchange.begin();
    }
    return exchange.done.future();
  }

  @Override
  public Future<Void> close() {
    return client.close();
  }

  private static void accept(HttpConnection connection) {
    QuietConnections.accept(connection);
    InterimAnswers.leaveOut(connection);
  }

  /** One request and what comes back; confined to the caller's context. */
  private final class Exchange {
    private final String key;
    private final PspCall call;
    private final long timeoutMillis;
    private final Promise<Attempt> done = Promise.promise();
    private final Buffer body = Buffer.buffer();
    private Scheduled timeout = () -> {};
    private Optional<HttpClientRequest> sent = Optional.empty();

    private Exchange(String key, PspCall call, long timeoutMillis) {
      this.key = key;
      this.call = call;
      this.timeoutMillis = timeoutMillis;
    }

    private void begin() {
      timeout = scheduler.after(timeoutMillis, this::timeOut);
      client
          .request(
              new RequestOptions()
                  .setMethod(HttpMethod.POST)
                  .setHost(base.getHost())
                  .setPort(HttpUrls.port(base))
                  .setURI(HttpPspCodec.path(base, call))
                  .setConnectTimeout(timeoutMillis))
          .onSuccess(this::send)
          .onFailure(e -> finish(new Attempt.NotSent("not connected: " + e.getMessage())));
    }

    private void send(HttpClientRequest request) {
      if (done.future().isComplete()) {
        request.reset();
        return;
      }
      sent = Optional.of(request);
      request.putHeader("Content-Type", "application/json");
      request.putHeader("Accept", "application/json, application/problem+json");
      request.putHeader(PspKeyHeader.NAME, HttpPspCodec.keyHeader(key));
      request
          .send(HttpPspCodec.body(call))
          .onSuccess(this::receive)
          .onFailure(e -> lose("the connection broke: " + e.getMessage()));
    }

    private void receive(HttpClientResponse response) {
      response.exceptionHandler(e -> lose("the answer broke off: " + e.getMessage()));
      response.handler(
          part -> {
            body.appendBuffer(part);
            if (body.length() > MAX_ANSWER_BYTES) {
              lose("the answer is over " + MAX_ANSWER_BYTES + " bytes");
            }
          });
      response.endHandler(end -> finish(HttpPspCodec.attempt(call, response.statusCode(), body)));
    }

    private void timeOut() {
      String detail = " in " + timeoutMillis + " ms";
      if (sent.isPresent()) {
        lose("no answer" + detail);
      } else {
        finish(new Attempt.NotSent("no connection" + detail));
      }
    }

    private void lose(String detail) {
      finish(new Attempt.Lost(detail));
      sent.ifPresent(HttpClientRequest::reset);
    }

    private void finish(Attempt attempt) {
      timeout.cancel();
      done.tryComplete(attempt);
    }
  }
}
