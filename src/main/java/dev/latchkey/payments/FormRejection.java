package dev.latchkey.payments;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * Keeps Vert.x Web from decoding a form, which would make the request look like one without a body.
 * A form of declared length is rejected before it is read. For an unknown length the type is
 * removed: then a body without a type is rejected later, and an empty one needs no type.
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
    if (bytes > maxBodyBytes) {
      ctx.fail(413);
    } else if (bytes > 0) {
      PaymentProblems.unsupportedMediaType().send(ctx);
    } else {
      request.headers().remove(HttpHeaders.CONTENT_TYPE);
      ctx.next();
    }
  }

  /** Returns the declared length, 0 for none or an unknown one. */
  private static long declaredBytes(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    try {
      return length == null ? 0 : Long.parseLong(length);
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }
}
