package dev.latchkey.idempotency.impl;

import dev.latchkey.idempotency.IdempotencyListener;
import dev.latchkey.idempotency.IdempotencyListener.Outcome;
import dev.latchkey.idempotency.spi.ScopedKey;
import io.vertx.ext.web.RoutingContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts each request to a keyed route under exactly one outcome. */
final class Outcomes {

  private static final Logger LOG = LoggerFactory.getLogger(Outcomes.class);
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

  /** A request ran in vain; what it did elsewhere is left to a person. */
  void displaced(ScopedKey key) {
    listener.displaced();
    LOG.warn(
        "a request ran, but its answer is not stored since another request has its key by now;"
            + " what it did elsewhere stays done: tenant={} key={} route=\"{}\"",
        key.tenant(),
        IdempotencyKeySyntax.toStructuredString(key.key()),
        key.route());
  }

  private void count(RoutingContext ctx, Outcome outcome) {
    if (ctx.get(COUNTED) == null) {
      ctx.put(COUNTED, true);
      listener.answered(outcome);
    }
  }
}
