package dev.latchkey.web.impl;

import dev.latchkey.core.Attempt;
import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Effect;
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
import io.vertx.core.internal.ContextInternal;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The execution of a request's handlers under a claim: captures their response, completes or
 * releases the key with it, and delivers it. Confined to the request's context.
 */
final class Execution implements CaptureListener {

  private static final StoredResponse NO_RESPONSE =
      StoredResponse.notRetained(500, Optional.empty());
  private final ContextInternal context;
  private final RoutingContext ctx;
  private final CapturingResponse response;
  private final IdempotencyOptions options;
  private final IdempotencyImpl claim;
  private Attempt attempt;
  private Optional<Problem> replacement = Optional.empty();
  private boolean clientGotAnotherResponse;
  private boolean released;

  /** The handler has ended its response, and was not asked for another. */
  private boolean handlerEnded;

  private @Nullable CapturedResponse captured;
  private @Nullable OversizedResponse oversized;
  private @Nullable HandlerTransaction<?> transaction;
  private StoredResponse notStored = NO_RESPONSE;

  Execution(
      ContextInternal context,
      RoutingContext ctx,
      CapturingResponse response,
      IdempotencyOptions options,
      Attempt attempt) {
    this.context = context;
    this.ctx = ctx;
    this.response = response;
    this.options = options;
    this.attempt = attempt;
    claim = new IdempotencyImpl(context, attempt, this::transact);
  }

  void start() {
    claim.put(ctx);
    try {
      response.begin(options.getMaxResponseBytes(), this);
    } catch (IllegalStateException begun) {
      // A handler before the IdempotencyHandler has already responded, so nothing may run.
      attempt.release(NO_RESPONSE);
      return;
    }
    ctx.next();
  }

  void adopt(Attempt other) {
    attempt = other;
    claim.adopt(other);
  }

  @Override
  public void captured(CapturedResponse complete) {
    captured = complete;
    handlerEnds(() -> end(complete.status(), complete.stored()));
  }

  @Override
  public void oversized(int status, Optional<String> location, OversizedResponse large) {
    if (response.real().ended()) {
      large.drop();
    } else {
      oversized = large;
    }
    handlerEnds(() -> end(status, StoredResponse.notRetained(status, location)));
  }

  @Override
  public void aborted(Throwable why) {
    handlerEnds(
        () -> {
          claim.close();
          discard(NO_RESPONSE);
        });
  }

  private void handlerEnds(Runnable ending) {
    handlerEnded = true;
    if (!released) {
      ending.run();
    }
    settleUnsent();
  }

  private void settleUnsent() {
    if (clientGotAnotherResponse && handlerEnded) {
      response.settle();
    }
  }

  void clientGotAnotherResponse() {
    clientGotAnotherResponse = true;
    settleUnsent();
  }

  private void end(int status, StoredResponse stored) {
    boolean keep;
    try {
      keep = claim.mayKeep() && options.getResponsePolicy().isFinal(status);
    } catch (RuntimeException thrown) {
      claim.close(); // undecided whether the response counts, so nothing is stored
      context.reportException(thrown);
      replacement = Optional.of(Problems.internalError());
      discard(NO_RESPONSE);
      return;
    }
    boolean mayOutlast = !keep && !isInTransaction();
    if (mayOutlast && claim.steps().outlastResponse(this::releaseUnlessEnded)) {
      dropResponse(); // released now, the key would let the next attempt run next to this one
      attempt.passRunLimit();
      return;
    }
    List<Effect> effects = claim.close();
    if (!keep && ctx.failed() && ctx.failure() instanceof StoreException) { // of a step
      replacement = Optional.of(Problems.storeUnavailable(true));
      discard(StoredResponse.notRetained(503, Optional.empty()));
    } else if (!keep) {
      discard(stored);
    } else if (isInTransaction()) {
      transaction().responded(Optional.of(stored));
    } else {
      attempt.complete(stored, effects);
    }
  }

  private void releaseUnlessEnded() {
    if (!handlerEnded) {
      claim.close();
      released = true;
      attempt.release(NO_RESPONSE);
    }
  }

  private void discard(StoredResponse stored) {
    if (isInTransaction()) {
      notStored = stored;
      transaction().responded(Optional.empty());
    } else {
      attempt.release(stored);
    }
  }

  private <C> void transact(
      Class<C> connectionType, Function<C, Future<Reply>> work, List<Effect> effects) {
    HandlerTransaction<C> started =
        new HandlerTransaction<>(context, ctx.response(), connectionType, work, this::dropResponse);
    transaction = started;
    attempt.complete(started, effects);
  }

  private boolean isInTransaction() {
    return transaction != null && transaction.isOpen();
  }

  private HandlerTransaction<?> transaction() {
    return Objects.requireNonNull(transaction, "there is no transaction");
  }

  /** The transaction wrote nothing: the handler failed, or its response is not to be stored. */
  void rolledBack() {
    Optional<Throwable> failure = transaction().failure();
    transaction = null;
    claim.reopen();
    if (failure.isPresent()) {
      dropResponse();
      ctx.fail(failure.get());
    } else {
      claim.close();
      attempt.release(notStored);
    }
  }

  /** The store refused an effect, so nothing was written: asks the handler for another response. */
  void effectRefused(EffectRefused refused) {
    transaction = null;
    dropResponse();
    try {
      claim
          .afterRefusal()
          .ifPresentOrElse(
              handler -> handler.handle(refused), () -> Problems.attemptFailed().send(ctx));
    } catch (RuntimeException | Error thrown) {
      ctx.fail(thrown);
    }
  }

  private void dropResponse() {
    dropOversized();
    captured = null;
    handlerEnded = false;
    response.discard();
  }

  void dropOversized() {
    if (oversized != null) {
      oversized.drop();
      oversized = null;
    }
  }

  void resultDiscarded() {
    claim.resultDiscarded();
  }

  /** Sends the response, or returns the problem to send instead. */
  Optional<Problem> deliver(List<Header> extra) {
    if (replacement.isPresent()) {
      return replacement;
    }
    if (oversized != null) {
      oversized.stream(extra);
    } else if (captured != null) {
      response.deliver(captured, extra);
    } else if (!response.real().ended()) {
      response.end();
      response.real().reset();
    }
    return Optional.empty();
  }
}
