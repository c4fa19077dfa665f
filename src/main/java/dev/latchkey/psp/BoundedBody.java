package dev.latchkey.psp;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;

/** Collects a request's body up to a bound. Confined to the request's event loop. */
final class BoundedBody {
  private final HttpServerRequest request;
  private final int maxBytes;
  private final Buffer body = Buffer.buffer();
  private boolean refused;

  private BoundedBody(HttpServerRequest request, int maxBytes) {
    this.request = request;
    this.maxBytes = maxBytes;
  }

  /**
   * Reads a body, or answers 413 or 415 in its place. Nothing is called for a caller that goes away
   * before its body is whole.
   */
  static void read(HttpServerRequest request, int maxBytes, Consumer<Buffer> whole) {
    BoundedBody reading = new BoundedBody(request, maxBytes);
    request.handler(reading::add);
    request.endHandler(
        end -> {
          if (!reading.refused) {
            reading.end(whole);
          }
        });
  }

  private void add(Buffer part) {
    if (refused) {
      return;
    }
    if (body.length() + part.length() > maxBytes) {
      refused = true;
      // The rest is not worth reading, and the connection cannot be used without reading it.
      request.response().putHeader("Connection", "close");
      PspResponses.problem(request.response(), 413, "the body is over " + maxBytes + " bytes");
      return;
    }
    body.appendBuffer(part);
  }

  private void end(Consumer<Buffer> whole) {
    if (body.length() > 0 && !isJson()) {
      PspResponses.problem(request.response(), 415, "the body is not application/json");
      return;
    }
    whole.accept(body);
  }

  private boolean isJson() {
    String type = request.getHeader("Content-Type");
    return type == null || type.split(";", 2)[0].strip().equalsIgnoreCase("application/json");
  }
}
