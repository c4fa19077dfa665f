package dev.latchkey.web;

import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.web.impl.Claims;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The claim under which the present request runs. All methods are called on the request's context,
 * before the first byte of the response.
 */
public interface Idempotency {

  /**
   * The claim of a request behind an {@link IdempotencyHandler}.
   *
   * @param ctx the request
   * @return its claim
   * @throws IllegalStateException when the request runs without one: no handler before it, or an
   *     optional key that was not sent
   */
  static Idempotency of(RoutingContext ctx) {
    return find(ctx)
        .orElseThrow(
            () -> new IllegalStateException("this request runs without an idempotency claim"));
  }

  /**
   * The claim of a request, if it has one.
   *
   * @param ctx the request
   * @return its claim, empty where the key is optional and was not sent
   */
  static Optional<Idempotency> find(RoutingContext ctx) {
    return Claims.find(ctx);
  }

  /** Returns the client's key, unescaped. */
  String key();

  /** Returns the tenant in whose name the key is valid. */
  String tenant();

  /** Returns how often this key was claimed, this time included. */
  int attempt();

  /**
   * Derives the idempotency key for a call to another system: the same on every attempt at this
   * request, another one for any other request, tenant, route or name. What is sent under it must
   * depend on the request alone.
   *
   * @param name of the call, unique within the request
   * @return 64 hexadecimal digits
   */
  String downstreamKey(String name);

  /**
   * Runs work once per request, whatever number of attempts: its result is recorded under the
   * claim, and an attempt that finds it recorded gets it back without running the work.
   *
   * @param name of the step, unique within the request, at most 100 characters
   * @param work makes the result, at most 64 KiB
   * @return the result; fails with {@link LostLeaseException} when another attempt has taken over,
   *     and as the work does when that fails
   */
  Future<Buffer> step(String name, Supplier<Future<Buffer>> work);

  /**
   * Adds a write that is applied in the same commit as the record of this request, if the answer is
   * final, and discarded if not.
   *
   * @param effect what to write
   * @return this
   * @throws IllegalStateException once the response has begun
   */
  Idempotency enlist(Effect effect);

  /**
   * Answers from inside the transaction that stores the answer: the store begins it, locks this
   * claim, runs the work on its connection, applies what was enlisted and commits all of it with
   * the record, or nothing. The work sees and changes the present state, and renders what it left.
   * It is run again when a transaction was rolled back and sent anew; an answer that is not final,
   * or a work that fails, rolls everything back: the failure ends the request like any other. The
   * last thing that a handler does; the response is not to be touched besides.
   *
   * @param connectionType the store's kind of connection; over Postgres {@code
   *     io.vertx.sqlclient.SqlConnection}
   * @param work writes on the connection it is given, quickly and on that alone; called on the
   *     request's context
   * @param <C> the kind of connection
   * @throws IllegalStateException once the response has begun, or where the store has no such
   *     transactions
   */
  <C> void transaction(Class<C> connectionType, Function<C, Future<Reply>> work);

  /**
   * Says what to do when the store refuses an effect: nothing was written, the claim is still held,
   * what was enlisted is dropped, and the handler given here answers anew, with new effects if it
   * likes. Called at most {@value #MAX_REFUSALS} times for one request; without it, or beyond, the
   * answer is 503 {@code attempt-failed} and the key is released.
   *
   * @param handler told which effect was refused
   * @return this
   */
  Idempotency onRefused(Handler<EffectRefused> handler);

  /**
   * Says whom to tell when this run turns out to have been in vain: the store lost the claim while
   * the handler ran, another request took the key, and so neither the answer nor an effect of this
   * one is stored, its caller is told 422, and so is whoever sends it again before the key expires.
   * What it did elsewhere stays done. To undo that by machine is seldom right: once the key has
   * expired the same request may come again, and finds under its {@link #downstreamKey} what was
   * done the first time. Called at most once, on the request's context, when the node learns it;
   * not when the node dies before.
   *
   * @param handler must not block
   * @return this
   */
  Idempotency onDisplaced(Runnable handler);

  /** How often a request may answer anew after a refused effect. */
  int MAX_REFUSALS = 8;

  /**
   * Says that this answer must not be kept, whatever its status: the key is released, the next
   * attempt runs afresh.
   *
   * @return this
   */
  Idempotency doNotKeep();
}
