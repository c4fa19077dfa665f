package dev.latchkey.web.impl;

import dev.latchkey.core.CallerResponse;
import dev.latchkey.core.IdempotencyListener;
import dev.latchkey.core.IdempotencyListener.Outcome;
import dev.latchkey.core.spi.ScopedKey;
import io.vertx.core.AsyncResult;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts each request to a keyed route under exactly one outcome. */
final class Outcomes {

  private static final Logger LOG = LoggerFactory.getLogger(Outcomes.class);
  private static final int UNAUTHORIZED = 401;
  private static final String FOLLOWED = "dev.latchkey.web.followed";

  private final IdempotencyListener listener;

  Outcomes(IdempotencyListener listener) {
    this.listener = listener;
  }

  /**
   * From here on the request counts: as rejected, if it never gets as far as the claim and is not
   * answered 401.
   */
  void follow(RoutingContext ctx) {
    if (ctx.get(FOLLOWED) == null) {
      Followed followed = new Followed(listener, ctx);
      ctx.put(FOLLOWED, followed);
      ctx.addEndHandler(followed);
    }
  }

  /** The request, which is followed, got as far as the claim: whoever answers it counts it. */
  void arrived(RoutingContext ctx) {
    Followed followed = ctx.get(FOLLOWED);
    if (followed != null) {
      followed.counted = true;
    }
  }

  /** Counts a request that has arrived. */
  void answered(Outcome outcome) {
    listener.responded(outcome);
  }

  /** A request ran in vain; what it did elsewhere is left to a person. */
  void displaced(ScopedKey key) {
    listener.resultDiscarded();
    LOG.warn(
        "a request ran, but its answer is not stored since another request has its key by now;"
            + " what it did elsewhere stays done: tenant={} key={} route=\"{}\"",
        key.tenant(),
        IdempotencyKeySyntax.toStructuredString(key.key()),
        key.route());
  }

  /** Told of the end of a request, and before that when somebody else counts it. */
  private static final class Followed implements Handler<AsyncResult<Void>> {
    private final IdempotencyListener listener;
    private final RoutingContext ctx;
    private volatile boolean counted;

    Followed(IdempotencyListener listener, RoutingContext ctx) {
      this.listener = listener;
      this.ctx = ctx;
    }

    @Override
    public void handle(AsyncResult<Void> ended) {
      if (!counted) {
        counted = true;
        if (ctx.response().getStatusCode() != UNAUTHORIZED) {
          listener.responded(Outcome.REJECTED);
        }
      }
    }
  }

  /** What a request that the flow answers came to, and not the handler behind it. */
  static Outcome of(CallerResponse verdict, boolean parked) {
    if (verdict instanceof CallerResponse.Replay replay) {
      if (!replay.response().retained()) {
        return Outcome.CONFLICT;
      }
      return parked ? Outcome.PARKED : Outcome.REPLAYED;
    }
    if (verdict instanceof CallerResponse.KeyReused) {
      return Outcome.REUSED;
    }
    if (verdict instanceof CallerResponse.InProgress
        || verdict instanceof CallerResponse.Unresolved) {
      return Outcome.CONFLICT;
    }
    boolean refused =
        verdict instanceof CallerResponse.TooManyWaiting
            || verdict instanceof CallerResponse.Overloaded
            || (verdict instanceof CallerResponse.ShuttingDown && !parked);
    return refused ? Outcome.REJECTED : Outcome.FAILED;
  }
}
