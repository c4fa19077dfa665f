package dev.latchkey.web.impl;

import io.vertx.ext.web.Route;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.impl.RoutingContextInternal;
import org.jspecify.annotations.Nullable;

/** The path template of the route that holds a handler. */
public final class RouteTemplate {

  private RouteTemplate() {}

  /**
   * Returns the template with the mount points of all sub-routers in front.
   *
   * @param ctx the request, at the handler's route
   * @return such as {@code /v1/payments/:id}; the request's path if the route has none
   */
  public static String of(RoutingContext ctx) {
    String own = template(ctx.currentRoute());
    if (own == null) {
      return ctx.normalizedPath();
    }
    StringBuilder whole = new StringBuilder(own);
    RoutingContextInternal parent = ((RoutingContextInternal) ctx).parent();
    while (parent != null) {
      String mount = parent.currentRoute().getPath();
      if (mount != null) {
        whole.insert(0, mount.endsWith("/") ? mount.substring(0, mount.length() - 1) : mount);
      }
      parent = parent.parent();
    }
    return whole.toString();
  }

  private static @Nullable String template(Route route) {
    String path = route.getPath();
    if (path == null) {
      return route.getName();
    }
    return route.isExactPath() ? path : path + '*';
  }

  /**
   * Returns the request's path for the fingerprint. Vert.x Web lets a route {@code /orders} match
   * {@code /orders/} too, so there a trailing slash makes no difference.
   */
  static String requestPath(RoutingContext ctx) {
    Route route = ctx.currentRoute();
    String template = route.getPath();
    String path = ctx.normalizedPath();
    if (template == null || !route.isExactPath() || template.endsWith("/")) {
      return path;
    }
    int end = path.length();
    while (end > 1 && path.charAt(end - 1) == '/') {
      end--;
    }
    return path.substring(0, end);
  }
}
