package dev.latchkey.web.capture;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.impl.RoutingContextInternal;

/**
 * Gives a request a response that can be captured later, by sending it through the router again in
 * a wrapper. Has to be the first route of the outermost router; runs a second time in the wrapped
 * request, and again after a reroute, and then passes. One instance serves any number of routers
 * and threads.
 */
public final class CaptureRoute implements Handler<RoutingContext> {

  /** A route for any router. */
  public CaptureRoute() {}

  /**
   * Wraps every request before it reaches a router, which then needs no such route.
   *
   * @param router the outermost router
   * @return what takes its place behind the server
   */
  public static Handler<HttpServerRequest> before(Handler<HttpServerRequest> router) {
    return request -> router.handle(new CapturableRequest((HttpServerRequestInternal) request));
  }

  /**
   * Wraps the request once.
   *
   * @param ctx the request; fails with IllegalStateException on a sub-router that no wrapped
   *     request reaches, since the routes before it would run twice
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
              "the capture route is mounted under "
                  + ctx.mountPoint()
                  + ", it must be the first route of the outermost router"));
      return;
    }
    HttpServerRequest request = ctx.request();
    CapturableRequest wrapped = new CapturableRequest((HttpServerRequestInternal) request);
    try {
      ctx.currentRouter().handle(wrapped);
    } catch (RuntimeException | Error e) {
      // Thrown on, it would fail the outer routing context, whose response nobody captures.
      wrapped.context().reportException(e);
    }
  }
}
