package dev.latchkey.web.capture;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.impl.RoutingContextInternal;

/**
 * Gives each request a response that can be captured later. It must be the first route of the
 * outermost router: it wraps the request and sends it through that router again, where it passes.
 * One instance serves any number of routers and threads.
 */
public final class CaptureRoute implements Handler<RoutingContext> {

  /** Creates a route. */
  public CaptureRoute() {}

  /**
   * Wraps each request in front of a router, which then needs no such route.
   *
   * @param router the outermost router
   * @return the server's request handler
   */
  public static Handler<HttpServerRequest> before(Handler<HttpServerRequest> router) {
    return request -> router.handle(new CapturableRequest((HttpServerRequestInternal) request));
  }

  /**
   * Wraps the request once. Fails it with IllegalStateException on a sub-router, because the routes
   * before it would run twice.
   *
   * @param ctx the request
   */
  @Override
  public void handle(RoutingContext ctx) {
    CapturingResponse.of(ctx)
        .ifPresentOrElse(
            response -> {
              response.routedBy(ctx);
              ctx.next();
            },
            () -> wrap((RoutingContextInternal) ctx));
  }

  private static void wrap(RoutingContextInternal ctx) {
    if (ctx.parent() != null) {
      ctx.fail(
          new IllegalStateException(
              "The capture route is mounted under "
                  + ctx.mountPoint()
                  + ". It must be the first route of the outermost router."));
      return;
    }
    HttpServerRequest request = ctx.request();
    CapturableRequest wrapped = new CapturableRequest((HttpServerRequestInternal) request);
    try {
      ctx.currentRouter().handle(wrapped);
    } catch (RuntimeException | Error e) {
      // Rethrown, it would fail the outer routing context, whose response is not captured.
      wrapped.context().reportException(e);
    }
  }
}
