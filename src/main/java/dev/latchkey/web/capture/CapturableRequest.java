package dev.latchkey.web.capture;

import io.vertx.core.Future;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import io.vertx.core.internal.http.HttpServerRequestWrapper;
import io.vertx.core.net.NetSocket;

/** A request whose response can be captured. */
final class CapturableRequest extends HttpServerRequestWrapper {

  private final CapturingResponse capturing;

  CapturableRequest(HttpServerRequestInternal request) {
    super(request);
    capturing = new CapturingResponse(request);
  }

  @Override
  public HttpServerResponse response() {
    return capturing.proxy();
  }

  @Override
  public Future<NetSocket> toNetSocket() {
    return capturing.isCapturing()
        ? capturing.refuse("an upgrade to a socket")
        : super.toNetSocket();
  }

  @Override
  public Future<ServerWebSocket> toWebSocket() {
    return capturing.isCapturing()
        ? capturing.refuse("an upgrade to a WebSocket")
        : super.toWebSocket();
  }
}
