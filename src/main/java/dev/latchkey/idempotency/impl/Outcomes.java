package dev.latchkey.idempotency.impl;

import dev.latchkey.idempotency.IdempotencyListener;
import dev.latchkey.idempotency.IdempotencyListener.Outcome;
import io.vertx.ext.web.RoutingContext;

/** Counts each request to a keyed route under exactly one outcome. */
final class Outcomes {

  private static final String FOLLOWED = "dev.latchkey.idempotency.followed";
  private static final String COUNTED = "dev.latchkey.idempotency.counted";

  private final IdempotencyListener listener;

  Outcomes(IdempotencyListener listener) {
    this.listener = listener;
  }

  /** From here on the request counts: as rejected, if it never gets as far as the claim. */
  void follow(RoutingContext ctx) {
    if (ctx.get(FOLLOWED) == null) {
      ctx.put(FOLLOWED, true);
      ctx.addEndHandler(ended -> count(ctx, Outcome.REJECTED));
    }
  }

  /** The request got as far as the claim: whoever answers it counts it. */
  void arrived(RoutingContext ctx) {
    ctx.put(COUNTED, true);
  }

  /** Counts a request that has arrived. */
  void answered(Outcome outcome) {
    listener.answered(outcome);
  }

  private void count(RoutingContext ctx, Outcome outcome) {
    if (ctx.get(COUNTED) == null) {
      ctx.put(COUNTED, true);
      listener.answered(outcome);
    }
  }
}
