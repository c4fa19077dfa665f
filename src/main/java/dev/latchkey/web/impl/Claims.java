package dev.latchkey.web.impl;

import dev.latchkey.web.Idempotency;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/** Where a request keeps the claim under which it runs. */
public final class Claims {

  private static final String CLAIM = "dev.latchkey.web.claim";

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

  /**
   * Whether an answer that a request gives now would be stored.
   *
   * @param ctx the request
   * @param status the status code of the answer
   * @return false also where the request runs without a claim
   */
  public static boolean keeps(RoutingContext ctx, int status) {
    HeldClaim claim = ctx.get(CLAIM);
    return claim != null
        && claim.mayKeep()
        && KeyedRequest.find(ctx).filter(keyed -> keyed.isFinal(status)).isPresent();
  }

  static void put(RoutingContext ctx, HeldClaim claim) {
    ctx.put(CLAIM, claim);
  }
}
