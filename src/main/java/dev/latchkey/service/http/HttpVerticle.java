package dev.latchkey.service.http;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * An HTTP server on one event loop; all verticles share the port. HTTP/1.1 and HTTP/2: cleartext
 * with prior knowledge, or TLS with ALPN.
 */
public final class HttpVerticle extends VerticleBase {

  private static final int MAX_REQUEST_LINE_BYTES = 8 * 1024;
  private static final int MAX_HEADER_BYTES = 8 * 1024;
  private static final int MAX_HTTP2_STREAMS = 100;
  private static final int BACKLOG = 4_096;

  private final Listener listener;
  private final Supplier<Handler<HttpServerRequest>> router;
  private HttpServer server;

  /**
   * Creates a verticle, to be deployed once.
   *
   * @param listener what it serves
   * @param router creates the router of this verticle, on its event loop
   */
  @SuppressWarnings("NullAway.Init") // start() sets the server
  public HttpVerticle(Listener listener, Supplier<Handler<HttpServerRequest>> router) {
    this.listener = listener;
    this.router = router;
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
    listener
        .certificate()
        .ifPresent(pem -> options.setSsl(true).setUseAlpn(true).setKeyCertOptions(pem));
    Handler<HttpServerRequest> handler = router.get();
    server =
        GuardedHttpServer.create(vertx, options, listener)
            .requestHandler(request -> handler.handle(HeadRequest.wrap(request)))
            .invalidRequestHandler(ErrorResponses::malformed);
    return server.listen(listener.port(), listener.host());
  }

  /** Returns the port it listens on. */
  public int port() {
    return server.actualPort();
  }

  /**
   * Uses another certificate for new connections.
   *
   * @param pem the certificate and its key
   * @return completes when it is in use; if it fails, the previous one stays in use
   */
  public Future<?> update(PemKeyCertOptions pem) {
    return server.updateSSLOptions(new ServerSSLOptions().setUseAlpn(true).setKeyCertOptions(pem));
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
