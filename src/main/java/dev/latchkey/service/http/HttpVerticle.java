package dev.latchkey.service.http;

import dev.latchkey.service.ops.DrainState;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * An HTTP server on one event loop; all verticles share the port. HTTP/1.1 and HTTP/2 cleartext
 * with prior knowledge.
 */
public final class HttpVerticle extends VerticleBase {

  private static final int MAX_REQUEST_LINE_BYTES = 8 * 1024;
  private static final int MAX_HEADER_BYTES = 16 * 1024;
  private static final int MAX_HTTP2_STREAMS = 1_000;
  private static final int BACKLOG = 4_096;

  private final String host;
  private final int port;
  private final Supplier<Handler<HttpServerRequest>> router;
  private final ConnectionLimits limits;
  private final DrainState drain;
  private HttpServer server;

  /**
   * Creates a verticle, to be deployed once.
   *
   * @param host the address to listen on
   * @param port the port; a negative number is one free port for all verticles with that number
   * @param router creates the router of this verticle, on its event loop
   * @param limits for its connections
   * @param drain state of the drain
   */
  @SuppressWarnings("NullAway.Init") // start() sets the server
  public HttpVerticle(
      String host,
      int port,
      Supplier<Handler<HttpServerRequest>> router,
      ConnectionLimits limits,
      DrainState drain) {
    this.host = host;
    this.port = port;
    this.router = router;
    this.limits = limits;
    this.drain = drain;
  }

  @Override
  public Future<?> start() {
    HttpServerOptions options =
        new HttpServerOptions()
            .setMaxInitialLineLength(MAX_REQUEST_LINE_BYTES)
            .setMaxHeaderSize(MAX_HEADER_BYTES)
            .setInitialSettings(
                new Http2Settings()
                    .setMaxHeaderListSize(MAX_HEADER_BYTES)
                    .setMaxConcurrentStreams(MAX_HTTP2_STREAMS))
            .setAcceptBacklog(BACKLOG)
            .setTcpNoDelay(true);
    Handler<HttpServerRequest> handler = router.get();
    server =
        GuardedHttpServer.create(vertx, options, limits, drain)
            .requestHandler(request -> handler.handle(HeadRequest.wrap(request)))
            .invalidRequestHandler(ErrorResponses::malformed);
    return server.listen(port, host);
  }

  /** Returns the port it listens on. */
  public int port() {
    return server.actualPort();
  }

  /**
   * Refuses new connections, closes idle ones, and closes each other one when no response is
   * pending on it.
   *
   * @param timeoutMillis time after which the remaining connections are cut off, positive
   * @return completes when all connections are closed
   */
  public Future<Void> shutdown(long timeoutMillis) {
    return server.shutdown(timeoutMillis, TimeUnit.MILLISECONDS);
  }
}
