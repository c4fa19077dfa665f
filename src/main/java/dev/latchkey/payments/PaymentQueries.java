package dev.latchkey.payments;

import dev.latchkey.ledger.Ledger;
import dev.latchkey.ledger.Page;
import dev.latchkey.ledger.PaymentQuery;
import dev.latchkey.ledger.Refund;
import dev.latchkey.ledger.RefundQuery;
import dev.latchkey.web.KeyScope;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The calls that only read payments and refunds. */
final class PaymentQueries {

  // Other texts are not looked up: some ledgers reject them.
  private static final Pattern REFUND_ID = Pattern.compile("re_[0-9A-Za-z]{1,64}");

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
    PaymentQuery query = QueryParameters.payments(scope.tenant(ctx), QueryParameters.of(ctx));
    ContextCallback.onSuccess(
        ctx, ledger.listPayments(query), page -> send(ctx, page, ApiJson::payment));
  }

  void refund(RoutingContext ctx) {
    String id = ctx.pathParam("id");
    Future<Optional<Refund>> refund =
        REFUND_ID.matcher(id).matches()
            ? ledger.findRefund(scope.tenant(ctx), id)
            : Future.succeededFuture(Optional.empty());
    ContextCallback.onSuccess(
        ctx,
        refund,
        found ->
            found.ifPresentOrElse(
                it -> ApiResponse.ok(ApiJson.refund(it)).send(ctx),
                () -> PaymentProblems.noSuchRefund().send(ctx)));
  }

  void refunds(RoutingContext ctx) {
    RefundQuery query =
        QueryParameters.refunds(scope.tenant(ctx), ctx.pathParam("id"), QueryParameters.of(ctx));
    ContextCallback.onSuccess(
        ctx,
        payments
            .find(query.tenant(), query.payment())
            .compose(
                payment ->
                    payment.isEmpty()
                        ? Future.succeededFuture(Optional.<Optional<Page<Refund>>>empty())
                        : ledger.listRefunds(query).map(Optional::of)),
        found ->
            found.ifPresentOrElse(
                page -> send(ctx, page, ApiJson::refund),
                () -> PaymentProblems.noSuchPayment().send(ctx)));
  }

  private static <T> void send(
      RoutingContext ctx, Optional<Page<T>> page, Function<T, JsonObject> element) {
    page.map(it -> ApiResponse.ok(ApiJson.page(it, element)))
        .orElseThrow(() -> new InvalidRequestException(List.of(QueryParameters.NOT_IN_LIST)))
        .send(ctx);
  }

  void balance(RoutingContext ctx) {
    ContextCallback.onSuccess(
        ctx,
        ledger.balance(scope.tenant(ctx)),
        balances -> ApiResponse.ok(ApiJson.balance(balances)).send(ctx));
  }
}
