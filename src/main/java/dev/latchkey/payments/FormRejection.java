package dev.latchkey.payments;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;

/**
 * Rejects forms before their body is read: Vert.x Web would decode them, and the request would then
 * look like one without a body.
 */
final class FormRejection implements Handler<RoutingContext> {

  private final long maxBodyBytes;

  FormRejection(long maxBodyBytes) {
    this.maxBodyBytes = maxBodyBytes;
  }

  @Override
  public void handle(RoutingContext ctx) {
    HttpServerRequest request = ctx.request();
    String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
    if (type == null || !MediaType.isForm(type)) {
      ctx.next();
      return;
    }
    long bytes = declaredBytes(request);
    if (bytes == 0) {
      // Without a body the type is meaningless, but Vert.x would look for a boundary in it.
      request.headers().remove(HttpHeaders.CONTENT_TYPE);
      ctx.next();
    } else if (bytes > maxBodyBytes) {
      ctx.fail(413);
    } else {
      PaymentProblems.unsupportedMediaType().send(ctx);
    }
  }

  /** Returns the declared length, -1 for a body of unknown length. */
  private static long declaredBytes(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    boolean chunked =
        request.version() == HttpVersion.HTTP_2
            || request.headers().contains(HttpHeaders.TRANSFER_ENCODING);
    if (length == null) {
      return chunked ? -1 : 0;
    }
    try {
      return Long.parseLong(length);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
