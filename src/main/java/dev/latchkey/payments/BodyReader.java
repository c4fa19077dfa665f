package dev.latchkey.payments;

import dev.latchkey.web.HeldRequests;
import io.netty.handler.codec.DecoderException;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.impl.RoutingContextInternal;

/**
 * Reads a request's body as sent, up to a limit, and counts it in {@link HeldRequests}: at once if
 * its length is declared, else as it arrives. Unlike Vert.x Web's BodyHandler it decodes no form,
 * so a form is never taken for a request without a body.
 */
final class BodyReader implements Handler<RoutingContext> {

  private static final int MAX_FIRST_BYTES = 65_536;

  private final int maxBytes;

  BodyReader(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  @Override
  public void handle(RoutingContext ctx) {
    HttpServerRequest request = ctx.request();
    long declared = declaredBytes(request);
    if (declared > maxBytes) {
      ctx.fail(413);
      return;
    }
    if (declared > 0 && !HeldRequests.takeBody(ctx, declared)) {
      HeldRequests.overloaded().send(ctx);
      return;
    }
    String expected = request.getHeader(HttpHeaders.EXPECT);
    if (expected != null && !expected.equalsIgnoreCase("100-continue")) {
      ctx.fail(417);
      return;
    }
    if (expected != null && request.version() != HttpVersion.HTTP_1_0) {
      ctx.response().writeContinue();
    }
    new Reading(ctx, declared).start();
  }

  /** Returns the declared length, negative if there is none. */
  private static long declaredBytes(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    try {
      return length == null ? -1 : Long.parseLong(length);
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }

  private final class Reading {
    private final RoutingContext ctx;
    private final boolean counted;
    private final Buffer body;
    private boolean refused;

    Reading(RoutingContext ctx, long declared) {
      this.ctx = ctx;
      counted = declared >= 0;
      body = Buffer.buffer((int) Math.max(0, Math.min(declared, MAX_FIRST_BYTES)));
    }

    void start() {
      ctx.request()
          .handler(this::received)
          .endHandler(v -> ended())
          .exceptionHandler(this::failed)
          .resume();
    }

    private void received(Buffer chunk) {
      if (refused) {
        return;
      }
      if (body.length() + chunk.length() > maxBytes) {
        refused = true;
        ctx.fail(413);
      } else if (!counted && !HeldRequests.takeBody(ctx, chunk.length())) {
        refused = true;
        HeldRequests.overloaded().send(ctx);
      } else {
        body.appendBuffer(chunk);
      }
    }

    private void ended() {
      if (!refused) {
        ((RoutingContextInternal) ctx).setBody(body);
        ctx.next();
      }
    }

    private void failed(Throwable failure) {
      if (!refused) {
        refused = true;
        boolean malformed = failure instanceof DecoderException;
        Throwable cause = failure.getCause();
        ctx.fail(malformed ? 400 : 500, malformed && cause != null ? cause : failure);
      }
    }
  }
}
