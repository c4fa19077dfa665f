package dev.latchkey.service.http;

import io.vertx.ext.web.RoutingContext;

/** In whose name a request is made. Set by {@link Authentication}, before any handler of /v1. */
public final class Tenant {

  /** Everybody, where no api keys are configured. */
  public static final String DEFAULT = "default";

  private static final String TENANT = "dev.latchkey.tenant";

  private Tenant() {}

  /**
   * Says who calls. Fits {@link dev.latchkey.web.KeyScope} as {@code Tenant::of}.
   *
   * @param ctx the request, authenticated by then
   * @return the tenant, 1 to 255 characters
   * @throws IllegalStateException when no authentication stands before the caller
   */
  public static String of(RoutingContext ctx) {
    String tenant = ctx.get(TENANT);
    if (tenant == null) {
      throw new IllegalStateException("no authentication before " + ctx.normalizedPath());
    }
    return tenant;
  }

  static void put(RoutingContext ctx, String tenant) {
    ctx.put(TENANT, tenant);
  }
}
