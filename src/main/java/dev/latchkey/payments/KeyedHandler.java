package dev.latchkey.payments;

import dev.latchkey.payments.Conclusion.Booked;
import dev.latchkey.payments.Conclusion.Done;
import dev.latchkey.payments.Conclusion.Failed;
import dev.latchkey.web.Idempotency;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;

/** Runs a keyed call under the request's claim and answers with what it came to. */
final class KeyedHandler<C extends Command> implements Handler<RoutingContext> {

  private final Class<C> type;
  private final PaymentOperation<C> call;

  KeyedHandler(Class<C> type, PaymentOperation<C> call) {
    this.type = type;
    this.call = call;
  }

  @Override
  public void handle(RoutingContext ctx) {
    Idempotency claim = Idempotency.of(ctx);
    C command = RequestValidation.command(ctx, type);
    PspTrail trail = new PspTrail(claim);
    claim.onDiscarded(trail::tell);
    answer(ctx, claim, trail, call.run(trail.attempt(), command));
  }

  private static void answer(
      RoutingContext ctx, Idempotency claim, PspTrail trail, Future<Conclusion> conclusion) {
    OnContext.then(
        ctx,
        conclusion,
        it -> {
          trail.cameTo(it);
          if (it instanceof Done done) {
            Replies.send(ctx, done.reply());
          } else if (it instanceof Booked booked) {
            claim.onRefused(refused -> answer(ctx, claim, trail, booked.refused().get()));
            claim.enlist(booked.effect());
            Replies.send(ctx, booked.reply());
          } else if (it instanceof Failed failed) {
            failed.problem().send(ctx);
          }
        });
  }
}
