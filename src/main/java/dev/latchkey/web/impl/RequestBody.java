package dev.latchkey.web.impl;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/** The body of a request, as a handler before this one read it. */
final class RequestBody {

  private RequestBody() {}

  /**
   * Returns whether there is a body and it has parts, which Vert.x Web does not keep as they were
   * sent.
   */
  static boolean isMultipart(HttpServerRequest request) {
    String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
    return type != null
        && request.bytesRead() > 0
        && type.stripLeading().regionMatches(true, 0, "multipart/", 0, 10);
  }

  /**
   * Returns the body.
   *
   * @throws IllegalStateException if it was not read, or read and not kept
   */
  static Buffer of(RoutingContext ctx) {
    HttpServerRequest request = ctx.request();
    Buffer body = ctx.body().buffer();
    // A BodyHandler skips a request without Content-Length and Transfer-Encoding.
    if (!ctx.body().available() && !request.isEnded()) {
      throw new IllegalStateException(
          "The request body is not read yet. Put a BodyHandler before the IdempotencyHandler.");
    }
    if ((body == null || body.length() == 0) && request.bytesRead() > 0) {
      throw new IllegalStateException(
          "A handler before the IdempotencyHandler consumed the request body, so it cannot be"
              + " compared with that of a retry. Use a BodyHandler and RoutingContext.body().");
    }
    return body == null ? Buffer.buffer() : body;
  }
}
