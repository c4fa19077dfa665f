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
final class OutcomeCounter {

  private static final Logger LOG = LoggerFactory.getLogger(OutcomeCounter.class);
  private static final int UNAUTHORIZED = 401;
  private static final String FOLLOWED = "dev.latchkey.web.followed";

  private final IdempotencyListener listener;

  OutcomeCounter(IdempotencyListener listener) {
    this.listener = listener;
  }

  /** Counts the request as rejected if it ends before the claim, except with 401. */
  void follow(RoutingContext ctx) {
    if (ctx.get(FOLLOWED) == null) {
      Followed followed = new Followed(listener, ctx);
      ctx.put(FOLLOWED, followed);
      ctx.addEndHandler(followed);
    }
  }

  /** The request reached the engine, so its outcome is counted with {@link #responded}. */
  void arrived(RoutingContext ctx) {
    Followed followed = ctx.get(FOLLOWED);
    if (followed != null) {
      followed.counted = true;
    }
  }

  void responded(Outcome outcome) {
    listener.responded(outcome);
  }

  void keyMissing() {
    listener.keyMissing();
  }

  /** Counts and logs an execution whose result was discarded. */
  void resultDiscarded(ScopedKey key) {
    listener.resultDiscarded();
    LOG.warn(
        "Result discarded because another request took the key; effects in other systems remain:"
            + " tenant={} key={} route=\"{}\"",
        key.tenant(),
        IdempotencyKeySyntax.toStructuredString(key.key()),
        key.route());
  }

  /** Counts a request at its end, unless it was counted before. */
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

  /** Returns the outcome of a request that gets another response than its handler's. */
  static Outcome of(CallerResponse response, boolean wasParked) {
    if (response instanceof CallerResponse.Replay replay) {
      if (!replay.response().retained()) {
        return Outcome.CONFLICT;
      }
      return wasParked ? Outcome.PARKED : Outcome.REPLAYED;
    }
    if (response instanceof CallerResponse.KeyReused) {
      return Outcome.REUSED;
    }
    if (response instanceof CallerResponse.InProgress
        || response instanceof CallerResponse.Unresolved) {
      return Outcome.CONFLICT;
    }
    boolean refused =
        response instanceof CallerResponse.TooManyWaiting
            || response instanceof CallerResponse.Overloaded
            || (response instanceof CallerResponse.ShuttingDown && !wasParked);
    return refused ? Outcome.REJECTED : Outcome.FAILED;
  }
}
