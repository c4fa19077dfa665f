package dev.latchkey.payments;

import dev.latchkey.ledger.Ledger;
import dev.latchkey.web.KeyScope;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** The calls that only read payments. */
final class PaymentQueries {

  private final Ledger ledger;
  private final PaymentLookup payments;
  private final KeyScope scope;

  PaymentQueries(Ledger ledger, PaymentLookup payments, KeyScope scope) {
    this.ledger = ledger;
    this.payments = payments;
    this.scope = scope;
  }

  void get(RoutingContext ctx) {
    ContextCallback.onSuccess(
        ctx,
        payments.find(scope.tenant(ctx), ctx.pathParam("id")),
        found ->
            found.ifPresentOrElse(
                payment ->
                    ApiResponse.sendConditional(
                        ctx, payment.version(), () -> ApiJson.payment(payment)),
                () -> PaymentProblems.noSuchPayment().send(ctx)));
  }

  void list(RoutingContext ctx) {
    ContextCallback.onSuccess(
        ctx,
        ledger.listPayments(QueryParameters.list(scope.tenant(ctx), QueryParameters.of(ctx))),
        page ->
            page.map(it -> ApiResponse.ok(ApiJson.page(it)))
                .orElseThrow(
                    () -> new InvalidRequestException(List.of(QueryParameters.NOT_IN_LIST)))
                .send(ctx));
  }

  void balance(RoutingContext ctx) {
    ContextCallback.onSuccess(
        ctx,
        ledger.balance(scope.tenant(ctx)),
        balances -> ApiResponse.ok(ApiJson.balance(balances)).send(ctx));
  }
}
