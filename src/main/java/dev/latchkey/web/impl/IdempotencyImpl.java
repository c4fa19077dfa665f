package dev.latchkey.web.impl;

import dev.latchkey.core.Attempt;
import dev.latchkey.core.Operation;
import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.web.Idempotency;
import dev.latchkey.web.Reply;
import dev.latchkey.web.fingerprint.DownstreamKey;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The claim as its handler sees it. Confined to the request's context. */
public final class IdempotencyImpl implements Idempotency {

  private static final String CLAIM = "dev.latchkey.web.claim";
  private static final int MAX_EFFECTS = 1_000;

  /** Completes the attempt with a response made inside the store's transaction. */
  @FunctionalInterface
  interface Transactions {
    <C> void run(Class<C> connectionType, Function<C, Future<Reply>> work, List<Effect> effects);
  }

  private final Steps steps;
  private final Transactions transactions;
  private Attempt attempt;
  private final List<Effect> effects = new ArrayList<>(2);
  private @Nullable Handler<EffectRefused> refusalHandler;
  private @Nullable Runnable discardHandler;
  private int refusals;
  private boolean closed;
  private boolean keep = true;

  IdempotencyImpl(ContextInternal context, Attempt attempt, Transactions transactions) {
    steps = new Steps(context);
    this.attempt = attempt;
    this.transactions = transactions;
  }

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
   * Returns whether a response that a request sends now would be stored.
   *
   * @param ctx the request
   * @param status the status code of the response
   * @return false also if the request has no claim
   */
  public static boolean keeps(RoutingContext ctx, int status) {
    IdempotencyImpl claim = ctx.get(CLAIM);
    return claim != null
        && claim.keep
        && KeyedRequest.find(ctx).filter(keyed -> keyed.isFinal(status)).isPresent();
  }

  void put(RoutingContext ctx) {
    ctx.put(CLAIM, this);
  }

  @Override
  public String key() {
    return operation().key().key();
  }

  @Override
  public String tenant() {
    return operation().key().tenant();
  }

  @Override
  public int attempt() {
    return attempt.number();
  }

  @Override
  public String downstreamKey(String name) {
    Operation operation = operation();
    return DownstreamKey.derive(
        operation.key().tenant(),
        operation.key().key(),
        operation.key().route(),
        operation.fingerprint(),
        name);
  }

  @Override
  public Future<Buffer> step(String name, Supplier<Future<Buffer>> work) {
    return steps.run(attempt, name, work);
  }

  @Override
  public Idempotency enlist(Effect effect) {
    checkOpen("effect " + effect.name());
    if (effects.size() >= MAX_EFFECTS) {
      throw new IllegalStateException("a request can enlist at most " + MAX_EFFECTS + " effects");
    }
    effects.add(effect);
    return this;
  }

  @Override
  public <C> void transaction(Class<C> connectionType, Function<C, Future<Reply>> work) {
    checkOpen("the transaction");
    if (!attempt.runsTransactionsOn(connectionType)) {
      throw new IllegalStateException(
          "the store has no transactions on " + connectionType.getName());
    }
    transactions.run(connectionType, work, close());
  }

  private void checkOpen(String what) {
    if (closed) {
      throw new IllegalStateException(what + " is too late: the response has begun");
    }
  }

  @Override
  public Idempotency onRefused(Handler<EffectRefused> handler) {
    refusalHandler = handler;
    return this;
  }

  @Override
  public Idempotency onDiscarded(Runnable handler) {
    discardHandler = handler;
    return this;
  }

  @Override
  public Idempotency doNotKeep() {
    keep = false;
    return this;
  }

  boolean mayKeep() {
    return keep;
  }

  /** Returns the effects, once the response is complete. Nothing can be added any more. */
  List<Effect> close() {
    closed = true;
    return List.copyOf(effects);
  }

  Steps steps() {
    return steps;
  }

  void adopt(Attempt other) {
    attempt = other;
  }

  /** Drops the effects, none of which was written. The handler can enlist others. */
  void reopen() {
    closed = false;
    effects.clear();
  }

  /**
   * Reopens after a refused effect. Returns the refusal handler, unless it was called too often.
   */
  Optional<Handler<EffectRefused>> afterRefusal() {
    reopen();
    keep = true;
    refusals++;
    return refusals > MAX_REFUSALS ? Optional.empty() : Optional.ofNullable(refusalHandler);
  }

  void resultDiscarded() {
    if (discardHandler != null) {
      discardHandler.run();
    }
  }

  private Operation operation() {
    return attempt.operation();
  }
}
