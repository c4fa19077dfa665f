package dev.latchkey.service.http;

import io.vertx.ext.web.RoutingContext;

/** The tenant of a request, set by {@link Authentication} before any handler of /v1. */
public final class Tenant {

  /** Every caller if no API keys are configured. */
  public static final String DEFAULT = "default";

  private static final String TENANT = "dev.latchkey.tenant";

  private Tenant() {}

  /**
   * Returns the tenant. Fits {@link dev.latchkey.web.KeyScope} as {@code Tenant::of}.
   *
   * @param ctx the request, authenticated
   * @return the tenant, 1 to 255 characters
   * @throws IllegalStateException if the request was not authenticated
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
