package dev.latchkey.payments;

import dev.latchkey.payments.OperationResult.Failed;
import dev.latchkey.payments.OperationResult.Recorded;
import dev.latchkey.payments.OperationResult.Unrecorded;
import dev.latchkey.web.Idempotency;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;

/** Runs an operation under the request's claim and sends its result. */
final class KeyedOperation<C extends Command> implements Handler<RoutingContext> {

  private final Class<C> type;
  private final PaymentOperation<C> operation;
  private final IfMatch ifMatch;

  KeyedOperation(Class<C> type, PaymentOperation<C> operation, IfMatch ifMatch) {
    this.type = type;
    this.operation = operation;
    this.ifMatch = ifMatch;
  }

  @Override
  public void handle(RoutingContext ctx) {
    Idempotency claim = Idempotency.of(ctx);
    C command = RequestValidation.command(ctx, type);
    PspOperationLog log = new PspOperationLog(claim);
    claim.onDiscarded(log::write);
    send(ctx, claim, log, run(ctx, claim, log, command));
  }

  private Future<OperationResult> run(
      RoutingContext ctx, Idempotency claim, PspOperationLog log, C command) {
    if (!(command instanceof Command.OfPayment ofPayment)) {
      return operation.run(log.attempt(), command);
    }
    return ifMatch
        .check(ctx, claim, ofPayment.payment())
        .compose(
            failed ->
                failed
                    .map(Future::succeededFuture)
                    .orElseGet(() -> operation.run(log.attempt(), command)));
  }

  private static void send(
      RoutingContext ctx, Idempotency claim, PspOperationLog log, Future<OperationResult> future) {
    ContextCallback.onSuccess(
        ctx,
        future,
        result -> {
          log.record(result);
          if (result instanceof Recorded recorded) {
            recorded.response().send(ctx);
          } else if (result instanceof Unrecorded unrecorded) {
            claim.onRefused(refused -> send(ctx, claim, log, unrecorded.ifRefused().get()));
            claim.enlist(unrecorded.effect());
            unrecorded.response().send(ctx);
          } else if (result instanceof Failed failed) {
            failed.problem().send(ctx);
          }
        });
  }
}
