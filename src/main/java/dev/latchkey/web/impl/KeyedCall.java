package dev.latchkey.web.impl;

import dev.latchkey.core.Attempt;
import dev.latchkey.core.Caller;
import dev.latchkey.core.CallerResponse;
import dev.latchkey.core.IdempotencyListener.Outcome;
import dev.latchkey.core.Operation;
import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponse.Header;
import dev.latchkey.web.IdempotencyOptions;
import dev.latchkey.web.Problem;
import dev.latchkey.web.Reply;
import dev.latchkey.web.capture.CaptureListener;
import dev.latchkey.web.capture.CapturedResponse;
import dev.latchkey.web.capture.CapturingResponse;
import dev.latchkey.web.capture.OversizedResponse;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.impl.RoutingContextInternal;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request in the control flow: runs the handlers behind it and captures what they answer,
 * or answers with what the flow decides. Confined to the request's context.
 */
final class KeyedCall implements Caller, CaptureListener {

  private final Outcomes outcomes;
  private final IdempotencyOptions options;
  private final RoutingContext ctx;
  private final CapturingResponse response;
  private final Operation operation;
  private final PreferWait wait;
  private final ContextInternal context;
  private Buffer body;
  private boolean parked;
  private boolean undecided;
  private boolean storeFailed;

  /** The client was told something else than what the handler answers. */
  private boolean toldOtherwise;

  /** The handler has ended, and has not been asked to answer anew. */
  private boolean handlerEnded;

  private boolean displaced;
  private @Nullable Place place;
  private @Nullable HeldClaim claim;
  private @Nullable Attempt attempt;
  private @Nullable CapturedResponse answer;
  private @Nullable OversizedResponse overflow;
  private @Nullable TransactionRun<?> transaction;
  private StoredResponse notKept = StoredResponse.notRetained(500, Optional.empty());

  KeyedCall(
      Outcomes outcomes,
      IdempotencyOptions options,
      RoutingContext ctx,
      CapturingResponse response,
      Operation operation,
      PreferWait wait,
      Buffer body,
      ContextInternal context) {
    this.outcomes = outcomes;
    this.options = options;
    this.ctx = ctx;
    this.response = response;
    this.operation = operation;
    this.wait = wait;
    this.body = body;
    this.context = context;
  }

  @Override
  public Operation operation() {
    return operation;
  }

  @Override
  public long waitMillis() {
    return wait.waitMillis();
  }

  @Override
  public Buffer body() {
    return body;
  }

  @Override
  public void parked(Place at, boolean bodyIsKept) {
    if (bodyIsKept) {
      setBody(Buffer.buffer());
    }
    place = at;
    if (!parked) {
      parked = true;
      ctx.addEndHandler(
          ended -> {
            // Also when somebody else, such as a timeout handler, has answered it.
            leave();
          });
    }
    if (response.real().closed()) {
      context.runOnContext(ignored -> leave());
    }
  }

  private void leave() {
    Place at = place;
    place = null;
    if (at != null && at.leave()) {
      outcomes.answered(Outcome.FAILED);
    }
  }

  private void setBody(Buffer other) {
    body = other;
    ((RoutingContextInternal) ctx).setBody(other);
  }

  @Override
  public void run(Attempt held, Buffer requestBody) {
    place = null;
    context.dispatch(
        () -> {
          if (requestBody != body) {
            setBody(requestBody);
          }
          attempt = held;
          claim = new HeldClaim(context, held, this::transact);
          Claims.put(ctx, claim);
          try {
            response.begin(options.getMaxResponseBytes(), this);
          } catch (IllegalStateException begun) {
            // Somebody before this handler has answered already: nothing may run.
            held.release(StoredResponse.notRetained(500, Optional.empty()));
            return;
          }
          ctx.next();
        });
  }

  @Override
  public void adopt(Attempt held) {
    attempt = held;
    if (claim != null) {
      claim.adopt(held);
    }
  }

  @Override
  public void captured(CapturedResponse captured) {
    answer = captured;
    handlerEnded = true;
    end(captured.status(), captured.stored());
    settleUnsent();
  }

  @Override
  public void oversized(int status, Optional<String> location, OversizedResponse go) {
    if (response.real().ended()) {
      go.drop();
    } else {
      overflow = go;
    }
    handlerEnded = true;
    end(status, StoredResponse.notRetained(status, location));
    settleUnsent();
  }

  @Override
  public void aborted(Throwable why) {
    handlerEnded = true;
    held().close();
    discard(StoredResponse.notRetained(500, Optional.empty()));
    settleUnsent();
  }

  /** Whoever waits for the end of an answer that will not be sent is told of it. */
  private void settleUnsent() {
    if (toldOtherwise && handlerEnded) {
      response.settle();
    }
  }

  private void end(int status, StoredResponse stored) {
    HeldClaim held = held();
    List<Effect> effects = held.close();
    boolean keep;
    try {
      keep = held.mayKeep() && options.getResponsePolicy().isFinal(status);
    } catch (RuntimeException thrown) {
      // Nobody can say whether the answer counts: neither it nor its effects do.
      context.reportException(thrown);
      undecided = true;
      discard(StoredResponse.notRetained(500, Optional.empty()));
      return;
    }
    if (!keep && ctx.failed() && ctx.failure() instanceof StoreException) {
      // A step could not be recorded and nobody dealt with it: that is the store's failure.
      storeFailed = true;
      discard(StoredResponse.notRetained(503, Optional.empty()));
    } else if (!keep) {
      discard(stored);
    } else if (isInTransaction()) {
      transaction().answered(Optional.of(stored));
    } else {
      attempt().complete(stored, effects);
    }
  }

  private void discard(StoredResponse stored) {
    if (isInTransaction()) {
      notKept = stored;
      transaction().answered(Optional.empty());
    } else {
      attempt().release(stored);
    }
  }

  private <C> void transact(
      Class<C> connectionType, Function<C, Future<Reply>> work, List<Effect> effects) {
    TransactionRun<C> run =
        new TransactionRun<>(context, ctx.response(), connectionType, work, this::dropAnswer);
    transaction = run;
    attempt().complete(run, effects);
  }

  private boolean isInTransaction() {
    return transaction != null && transaction.isOpen();
  }

  private TransactionRun<?> transaction() {
    if (transaction == null) {
      throw new IllegalStateException("no transaction is under way");
    }
    return transaction;
  }

  @Override
  public void rolledBack() {
    context.dispatch(
        () -> {
          Optional<Throwable> failure = transaction().failure();
          transaction = null;
          held().rollBack();
          if (failure.isPresent()) {
            dropAnswer();
            ctx.fail(failure.get());
          } else {
            held().close();
            attempt().release(notKept);
          }
        });
  }

  @Override
  public void completed(Expiry expiry) {
    outcomes.answered(Outcome.EXECUTED);
    deliver(MomentHeaders.of(wait, expiry));
  }

  @Override
  public void released() {
    outcomes.answered(Outcome.FAILED);
    deliver(MomentHeaders.of(wait));
  }

  private void deliver(List<Header> extra) {
    context.dispatch(
        () -> {
          if (undecided) {
            write(Problems.internalError(), extra);
          } else if (storeFailed) {
            write(
                Problems.of(new CallerResponse.StoreUnavailable(true), operation.fingerprint()),
                extra);
          } else if (overflow != null) {
            overflow.stream(extra);
          } else if (answer != null) {
            response.deliver(answer, extra);
          } else if (!response.real().ended()) {
            response.end();
            response.real().reset();
          }
        });
  }

  @Override
  public void effectRefused(EffectRefused refused) {
    context.dispatch(
        () -> {
          transaction = null;
          dropAnswer();
          held()
              .reopen()
              .ifPresentOrElse(
                  handler -> {
                    try {
                      handler.handle(refused);
                    } catch (RuntimeException | Error thrown) {
                      ctx.fail(thrown);
                    }
                  },
                  () -> Problems.attemptFailed().send(ctx));
        });
  }

  /** What was captured does not count: another answer will be. */
  private void dropAnswer() {
    if (overflow != null) {
      overflow.drop();
      overflow = null;
    }
    answer = null;
    handlerEnded = false;
    response.discard();
  }

  @Override
  public void resultDiscarded() {
    if (!displaced) {
      displaced = true;
      outcomes.displaced(operation.key());
      context.dispatch(held()::displaced);
    }
  }

  @Override
  public void respond(CallerResponse verdict) {
    place = null;
    outcomes.answered(Outcomes.of(verdict, parked));
    context.dispatch(() -> write(verdict));
  }

  private void write(CallerResponse verdict) {
    if (response.real().ended()) {
      return;
    }
    List<Header> extra = MomentHeaders.of(wait);
    if (verdict instanceof CallerResponse.Replay replay) {
      if (replay.response().retained()) {
        response.replay(replay.response(), MomentHeaders.ofReplay(wait, replay.expiry()));
        return;
      }
      extra = MomentHeaders.of(wait, replay.expiry());
    } else if (verdict instanceof CallerResponse.SharedResponse same
        && same.response().retained()) {
      response.replay(same.response(), extra);
      return;
    } else if (verdict instanceof CallerResponse.KeyReused reused && reused.expiry().isPresent()) {
      extra = MomentHeaders.of(wait, reused.expiry().get());
    }
    write(Problems.of(verdict, operation.fingerprint()), extra);
  }

  private void write(Problem problem, List<Header> extra) {
    if (overflow != null) {
      overflow.drop();
      overflow = null;
    }
    extra.forEach(line -> problem.header(line.name(), line.value()));
    problem.send(ctx, response.real());
    toldOtherwise = true;
    settleUnsent();
  }

  private HeldClaim held() {
    if (claim == null) {
      throw new IllegalStateException("no claim is held");
    }
    return claim;
  }

  private Attempt attempt() {
    if (attempt == null) {
      throw new IllegalStateException("no claim is held");
    }
    return attempt;
  }
}
