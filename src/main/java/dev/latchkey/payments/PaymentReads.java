package dev.latchkey.payments;

import dev.latchkey.ledger.Ledger;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentQuery;
import dev.latchkey.web.KeyScope;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** The calls that only read the books. */
final class PaymentReads {

  private final Ledger ledger;
  private final PaymentLookup payments;
  private final KeyScope scope;

  PaymentReads(Ledger ledger, PaymentLookup payments, KeyScope scope) {
    this.ledger = ledger;
    this.payments = payments;
    this.scope = scope;
  }

  void get(RoutingContext ctx) {
    OnContext.then(
        ctx,
        payments.find(scope.tenant(ctx), ctx.pathParam("id")),
        found -> {
          if (found.isEmpty()) {
            PaymentProblems.noSuchPayment().send(ctx);
          } else {
            Payment payment = found.get();
            Replies.conditional(ctx, payment.version(), new PaymentResource(payment));
          }
        });
  }

  void list(RoutingContext ctx) {
    Checked<MultiMap> parameters = QueryParameters.of(ctx);
    if (parameters instanceof Checked.Invalid<MultiMap> invalid) {
      refuse(ctx, invalid.errors());
    } else if (parameters instanceof Checked.Valid<MultiMap> valid) {
      list(ctx, ListParameters.parse(scope.tenant(ctx), valid.value()));
    }
  }

  private void list(RoutingContext ctx, Checked<PaymentQuery> checked) {
    if (checked instanceof Checked.Invalid<PaymentQuery> invalid) {
      refuse(ctx, invalid.errors());
    } else if (checked instanceof Checked.Valid<PaymentQuery> valid) {
      OnContext.then(
          ctx,
          ledger.listPayments(valid.value()),
          page -> {
            if (page.isPresent()) {
              Replies.send(ctx, PaymentJson.page(page.get()));
            } else {
              refuse(ctx, List.of(ListParameters.NOT_IN_LIST));
            }
          });
    }
  }

  void balance(RoutingContext ctx) {
    OnContext.then(
        ctx,
        ledger.balance(scope.tenant(ctx)),
        balances -> Replies.send(ctx, PaymentJson.balance(balances)));
  }

  private static void refuse(RoutingContext ctx, List<FieldError> errors) {
    PaymentProblems.invalidRequest(errors).send(ctx);
  }
}
