package dev.latchkey.web.impl;

import dev.latchkey.core.Attempt;
import dev.latchkey.core.Caller;
import dev.latchkey.core.CallerResponse;
import dev.latchkey.core.IdempotencyListener.Outcome;
import dev.latchkey.core.Operation;
import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponse.Header;
import dev.latchkey.web.IdempotencyOptions;
import dev.latchkey.web.JsonBody;
import dev.latchkey.web.Problem;
import dev.latchkey.web.capture.CapturingResponse;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.impl.RoutingContextInternal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request as a caller of the engine: it is parked, executes its handlers, or gets another
 * response. Confined to the request's context.
 */
final class HttpCaller implements Caller {

  private final OutcomeCounter outcomes;
  private final IdempotencyOptions options;
  private final RoutingContext ctx;
  private final CapturingResponse response;
  private final Operation operation;
  private final PreferWait wait;
  private final ContextInternal context;
  private Buffer body;
  private boolean wasParked;
  private boolean discarded;
  private @Nullable Place place;
  private @Nullable Execution execution;

  HttpCaller(
      OutcomeCounter outcomes,
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
      JsonBody.dropped(ctx);
    }
    place = at;
    if (!wasParked) {
      wasParked = true;
      // The end of the request includes responses of others, such as a timeout handler.
      ctx.addEndHandler(ended -> leave());
    }
    if (response.real().closed()) {
      context.runOnContext(ignored -> leave());
    }
  }

  private void leave() {
    Place at = place;
    place = null;
    if (at != null && at.leave()) {
      outcomes.responded(Outcome.FAILED);
    }
  }

  private void setBody(Buffer other) {
    body = other;
    ((RoutingContextInternal) ctx).setBody(other);
  }

  @Override
  public void run(Attempt attempt, Buffer requestBody) {
    place = null;
    context.dispatch(
        () -> {
          if (requestBody != body) {
            setBody(requestBody);
          }
          Execution started = new Execution(context, ctx, response, options, attempt);
          execution = started;
          started.start();
        });
  }

  @Override
  public void adopt(Attempt attempt) {
    execution().adopt(attempt);
  }

  @Override
  public void completed(Expiry expiry) {
    outcomes.responded(Outcome.EXECUTED);
    deliver(DeliveryHeaders.of(wait, expiry));
  }

  @Override
  public void released() {
    outcomes.responded(Outcome.FAILED);
    deliver(DeliveryHeaders.of(wait));
  }

  private void deliver(List<Header> extra) {
    context.dispatch(
        () -> execution().deliver(extra).ifPresent(replacement -> send(replacement, extra)));
  }

  @Override
  public void effectRefused(EffectRefused refused) {
    context.dispatch(() -> execution().effectRefused(refused));
  }

  @Override
  public void rolledBack() {
    context.dispatch(() -> execution().rolledBack());
  }

  @Override
  public void resultDiscarded() {
    if (!discarded) {
      discarded = true;
      outcomes.resultDiscarded(operation.key());
      context.dispatch(() -> execution().resultDiscarded());
    }
  }

  @Override
  public void respond(CallerResponse callerResponse) {
    place = null;
    outcomes.responded(OutcomeCounter.of(callerResponse, wasParked));
    context.dispatch(() -> send(callerResponse));
  }

  private void send(CallerResponse callerResponse) {
    if (response.real().ended()) {
      return;
    }
    List<Header> extra = DeliveryHeaders.of(wait);
    if (callerResponse instanceof CallerResponse.Replay replay) {
      StoredResponse stored = replay.response();
      if (stored.retained()) {
        response.replay(stored, DeliveryHeaders.ofReplay(wait, replay.expiry()));
        return;
      }
      extra = DeliveryHeaders.of(wait, replay.expiry());
    } else if (callerResponse instanceof CallerResponse.SharedResponse shared
        && shared.response().retained()) {
      response.replay(shared.response(), extra);
      return;
    } else if (callerResponse instanceof CallerResponse.KeyReused reused
        && reused.expiry().isPresent()) {
      extra = DeliveryHeaders.of(wait, reused.expiry().get());
    }
    send(Problems.of(callerResponse, operation.fingerprint()), extra);
  }

  /** Sends a problem instead of the handler's response, if there is one. */
  private void send(Problem problem, List<Header> extra) {
    if (execution != null) {
      execution.dropOversized();
    }
    extra.forEach(line -> problem.header(line.name(), line.value()));
    problem.send(ctx, response.real());
    if (execution != null) {
      execution.clientGotAnotherResponse();
    }
  }

  private Execution execution() {
    if (execution == null) {
      throw new IllegalStateException("the request holds no claim");
    }
    return execution;
  }
}
