package dev.latchkey.payments;

import dev.latchkey.idempotency.KeyScope;
import dev.latchkey.ledger.Ledger;
import dev.latchkey.ledger.PaymentQuery;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
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
            return;
          }
          ctx.response()
              .putHeader(HttpHeaders.ETAG, '"' + Long.toString(found.get().version()) + '"');
          send(ctx, PaymentJson.payment(found.get()));
        });
  }

  void list(RoutingContext ctx) {
    MultiMap parameters;
    try {
      parameters = ctx.queryParams();
    } catch (HttpException e) {
      refuse(ctx, List.of(new FieldError("", "the query is not percent-encoded UTF-8")));
      return;
    }
    Checked<PaymentQuery> checked = ListParameters.parse(scope.tenant(ctx), parameters);
    if (checked instanceof Checked.Invalid<PaymentQuery> invalid) {
      refuse(ctx, invalid.errors());
    } else if (checked instanceof Checked.Valid<PaymentQuery> valid) {
      OnContext.then(
          ctx,
          ledger.listPayments(valid.value()),
          page -> {
            if (page.isPresent()) {
              send(ctx, PaymentJson.page(page.get()));
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
        balances -> send(ctx, PaymentJson.balance(balances)));
  }

  private static void refuse(RoutingContext ctx, List<FieldError> errors) {
    PaymentProblems.invalidRequest(errors).send(ctx);
  }

  private static void send(RoutingContext ctx, JsonObject body) {
    ctx.response().putHeader(HttpHeaders.CONTENT_TYPE, "application/json").end(body.toBuffer());
  }
}
