package dev.latchkey.web;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.RoutingContext;

/**
 * In whose name a key is valid, and for which operation. Keys, answers and problems never cross
 * scopes. Called on the request's context.
 *
 * @see dev.latchkey.core.spi.ScopedKey
 */
public interface KeyScope {

  /** Everybody is one tenant. Fit only for an application with one caller. */
  KeyScope SINGLE_TENANT = ctx -> "default";

  /**
   * Says who calls.
   *
   * @param ctx the request, authenticated by then
   * @return the tenant, 1 to 255 characters
   */
  String tenant(RoutingContext ctx);

  /**
   * Names the operation: by default the method and the template of the route that holds the
   * handler, so that path parameters are not part of it.
   *
   * @param ctx the request
   * @return the route, 1 to 512 characters
   */
  default String route(RoutingContext ctx) {
    HttpServerRequest request = ctx.request();
    Route route = ctx.currentRoute();
    String template = route.getName();
    return request.method().name() + ' ' + (template == null ? ctx.normalizedPath() : template);
  }
}
