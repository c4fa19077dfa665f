package dev.latchkey.payments;

import dev.latchkey.ledger.Precondition;
import dev.latchkey.payments.Conclusion.Done;
import dev.latchkey.payments.Conclusion.Failed;
import dev.latchkey.web.KeyScope;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;

/** {@code PATCH /v1/payments/:id}, a merge patch (RFC 7396) under {@code If-Match}. */
final class AmendHandler implements Handler<RoutingContext> {

  private final AmendPayment amend;
  private final KeyScope scope;

  AmendHandler(AmendPayment amend, KeyScope scope) {
    this.amend = amend;
    this.scope = scope;
  }

  @Override
  public void handle(RoutingContext ctx) {
    Checked<Precondition> condition = Conditions.of(ctx.request().headers());
    if (condition instanceof Checked.Invalid<Precondition> invalid) {
      PaymentProblems.invalidRequest(invalid.errors()).send(ctx);
    } else if (condition instanceof Checked.Valid<Precondition> valid) {
      Command.Amend command = RequestValidation.command(ctx, Command.Amend.class);
      OnContext.then(
          ctx,
          amend.run(scope.tenant(ctx), command, valid.value()),
          conclusion -> {
            if (conclusion instanceof Done done) {
              Replies.send(ctx, done.reply());
            } else if (conclusion instanceof Failed failed) {
              failed.problem().send(ctx);
            }
          });
    }
  }
}
