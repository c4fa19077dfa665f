package dev.latchkey.psp;

import dev.latchkey.net.BaseUrl;
import dev.latchkey.net.BoundedHttpClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;

/**
 * Calls a PSP over HTTP, over a bounded pool of connections. A slow charge occupies a connection
 * until its response; calls beyond the pool wait for a connection within their own time limit.
 */
final class HttpPspTransport implements PspTransport {
  private static final int CONNECT_TIMEOUT_MILLIS = 2_000;
  private static final int MAX_WAITING = 20_000;
  private static final int MAX_RESPONSE_BYTES = 64 << 10;

  private final BaseUrl url;
  private final BoundedHttpClient client;

  HttpPspTransport(Vertx vertx, BaseUrl url) {
    this.url = url;
    this.client =
        new BoundedHttpClient(
            vertx,
            new HttpClientOptions().setConnectTimeout(CONNECT_TIMEOUT_MILLIS),
            new PoolOptions()
                .setHttp1MaxSize(PspGateway.MAX_CONNECTIONS)
                .setMaxWaitQueueSize(MAX_WAITING),
            MAX_RESPONSE_BYTES);
  }

  @Override
  public Future<Outcome> send(String key, PspCall call, long timeoutMillis) {
    RequestOptions request =
        url.request(HttpMethod.POST, HttpPspCodec.path(call))
            .setConnectTimeout(timeoutMillis)
            .putHeader("Content-Type", "application/json")
            .putHeader("Accept", "application/json, application/problem+json")
            .putHeader("Idempotency-Key", key);
    return client
        .send(request, HttpPspCodec.body(call), timeoutMillis)
        .outcome()
        .map(outcome -> HttpPspCodec.outcome(call, outcome));
  }

  @Override
  public Future<Void> close() {
    return client.close();
  }
}
