package dev.latchkey.net;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP client whose exchanges are bounded: every response has a maximum size and every request a
 * time limit. Safe for use by any thread.
 */
public final class BoundedHttpClient {

  private static final Logger LOG = LoggerFactory.getLogger(BoundedHttpClient.class);

  private final Vertx vertx;
  private final HttpClient client;
  private final int maxResponseBytes;

  /**
   * Creates a client.
   *
   * @param vertx the instance to run on
   * @param options of the connections
   * @param pool size of the connection pool
   * @param maxResponseBytes maximum size of a response body; a larger one is lost
   */
  public BoundedHttpClient(
      Vertx vertx, HttpClientOptions options, PoolOptions pool, int maxResponseBytes) {
    this.vertx = vertx;
    this.maxResponseBytes = maxResponseBytes;
    this.client =
        vertx
            .httpClientBuilder()
            .with(options)
            .with(pool)
            .withConnectHandler(BoundedHttpClient::accept)
            .build();
  }

  private static void accept(HttpConnection connection) {
    logQuietly(connection);
    InterimResponses.install(connection);
  }

  /**
   * Logs failures of a connection at debug level. Without its own handler, Vert.x logs an error for
   * every connection that the peer resets.
   *
   * @param connection a new connection of a client or server
   */
  public static void logQuietly(HttpConnection connection) {
    connection.exceptionHandler(e -> LOG.debug("connection failed: {}", e.getMessage()));
  }

  /**
   * Sends a request.
   *
   * @param request its destination and headers
   * @param body empty for none
   * @param timeoutMillis limit for connecting and the complete response, positive
   * @return the exchange; its futures complete on the caller's context, or on a new one if the
   *     caller has none
   */
  public BoundedExchange send(RequestOptions request, Buffer body, long timeoutMillis) {
    BoundedExchange exchange = new BoundedExchange(vertx, maxResponseBytes);
    Context context = vertx.getOrCreateContext();
    if (Vertx.currentContext() == context) {
      exchange.start(client, request, body, timeoutMillis);
    } else {
      context.runOnContext(now -> exchange.start(client, request, body, timeoutMillis));
    }
    return exchange;
  }

  /**
   * Closes all connections. Open exchanges end as lost.
   *
   * @return completes when they are closed
   */
  public Future<Void> close() {
    return client.close();
  }
}
