package dev.latchkey.idempotency.impl;

import dev.latchkey.idempotency.Idempotency;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/** Where a request keeps the claim under which it runs. */
public final class Claims {

  private static final String CLAIM = "dev.latchkey.idempotency.claim";

  private Claims() {}

  /**
   * Finds the claim of a request.
   *
   * @param ctx the request
   * @return its claim, if it has one
   */
  public static Optional<Idempotency> find(RoutingContext ctx) {
    return Optional.ofNullable(ctx.get(CLAIM));
  }

  static void put(RoutingContext ctx, Idempotency claim) {
    ctx.put(CLAIM, claim);
  }
}
