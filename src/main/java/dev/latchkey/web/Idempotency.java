package dev.latchkey.web;

import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.web.impl.IdempotencyImpl;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The claim that a request holds while its handlers execute. Called on the request's context,
 * before the first byte of the response.
 */
public interface Idempotency {

  /** How often a request may send another response after a refused effect. */
  int MAX_REFUSALS = 8;

  /**
   * Returns the claim of a request behind an {@link IdempotencyHandler}.
   *
   * @param ctx the request
   * @return its claim
   * @throws IllegalStateException if the request has none: there is no handler before it, or an
   *     optional key was not sent
   */
  static Idempotency of(RoutingContext ctx) {
    return find(ctx)
        .orElseThrow(() -> new IllegalStateException("the request has no idempotency claim"));
  }

  /**
   * Finds the claim of a request.
   *
   * @param ctx the request
   * @return its claim, empty if the key is optional and was not sent
   */
  static Optional<Idempotency> find(RoutingContext ctx) {
    return IdempotencyImpl.find(ctx);
  }

  /** Returns the client's key, unescaped. */
  String key();

  /** Returns the tenant of the key. */
  String tenant();

  /** Returns the number of this attempt, counted from 1. */
  int attempt();

  /**
   * Derives the idempotency key of a call to another system. It is the same on every attempt of
   * this request, and different for any other request, tenant, operation or name. The content sent
   * under it must depend on the request alone.
   *
   * @param name of the call, unique within the request
   * @return 64 hexadecimal digits
   */
  String downstreamKey(String name);

  /**
   * Executes work and records its result under the claim. A later attempt gets the recorded result
   * without executing the work. If an attempt dies before its result is recorded, the next one
   * executes the work again.
   *
   * @param name of the step, unique within the request, at most 100 characters
   * @param work returns the result, at most 64 KiB
   * @return the result; fails with {@link LostLeaseException} if another attempt took over, and as
   *     the work does
   */
  Future<Buffer> step(String name, Supplier<Future<Buffer>> work);

  /**
   * Adds a write that the store applies in the commit that stores the response. It is discarded if
   * the response is not stored.
   *
   * @param effect the write
   * @return this
   * @throws IllegalStateException if the response has begun
   */
  Idempotency enlist(Effect effect);

  /**
   * Responds from inside the transaction that stores the response. The store begins it, locks this
   * claim, executes the work, applies the enlisted effects and commits everything with the record,
   * or nothing. The work may be executed again if a transaction was rolled back. A response that is
   * not final, or a failure of the work, rolls everything back; a failure then fails the request.
   * Call it last; do not write the response yourself.
   *
   * @param connectionType the store's connection type, over Postgres {@code
   *     io.vertx.sqlclient.SqlConnection}
   * @param work uses the given connection only, and quickly; called on the request's context
   * @param <C> the connection type
   * @throws IllegalStateException if the response has begun, or the store has no such transactions
   */
  <C> void transaction(Class<C> connectionType, Function<C, Future<Reply>> work);

  /**
   * Sets the handler of refused effects. Nothing was written, the claim is still held, and the
   * enlisted effects are dropped. The handler sends another response, with other effects if needed.
   * It is called at most {@value #MAX_REFUSALS} times per request; after that, or without a
   * handler, the response is 503 {@code attempt-failed} and the key is released.
   *
   * @param handler receives the refused effect
   * @return this
   */
  Idempotency onRefused(Handler<EffectRefused> handler);

  /**
   * Sets the handler called when this result was discarded because another request took the key.
   * This happens if the store lost the claim while the handlers ran. Neither the response nor an
   * effect is stored, and the caller gets 422. Effects in other systems remain; they should seldom
   * be undone automatically, because the same request finds them under its {@link #downstreamKey}
   * once the key has expired. Called at most once, on the request's context, and not if the node
   * dies first.
   *
   * @param handler must not block
   * @return this
   */
  Idempotency onDiscarded(Runnable handler);

  /**
   * Prevents this response from being stored, whatever its status. The key is released, and the
   * next attempt executes again.
   *
   * @return this
   */
  Idempotency doNotKeep();
}
