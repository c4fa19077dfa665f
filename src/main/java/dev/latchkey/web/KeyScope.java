package dev.latchkey.web;

import dev.latchkey.web.impl.RouteTemplate;
import io.vertx.ext.web.RoutingContext;

/**
 * The scope of a key: the tenant that sent it and the operation it is for. The same key in another
 * scope is another key, so callers never see each other's responses. Called on the request's
 * context.
 *
 * @see dev.latchkey.core.spi.ScopedKey
 */
@FunctionalInterface
public interface KeyScope {

  /**
   * Identifies the caller.
   *
   * @param ctx the request, after authentication
   * @return the tenant, 1 to 255 characters
   */
  String tenant(RoutingContext ctx);

  /**
   * Names the operation. By default it is the method, the mount points of the sub-routers, and the
   * template of the route that holds the handler, such as {@code POST /v1/payments/:id/capture}.
   * Path parameters are not part of it; they belong to the fingerprint. A route without a path has
   * the request's normalized path instead of a template.
   *
   * @param ctx the request
   * @return the operation, 1 to 512 characters
   */
  default String route(RoutingContext ctx) {
    return ctx.request().method().name() + ' ' + RouteTemplate.of(ctx);
  }
}
