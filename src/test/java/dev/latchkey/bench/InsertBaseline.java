package dev.latchkey.bench;

import dev.latchkey.payments.UnlayeredPayments;
import io.vertx.ext.web.RoutingContext;

/** Without idempotency: validate, charge, one INSERT, respond. */
final class InsertBaseline implements Baseline {

  private final UnlayeredPayments payments;
  private final PaymentPools pools;
  private final String sql;

  InsertBaseline(UnlayeredPayments payments, PaymentPools pools, boolean plain) {
    this.payments = payments;
    this.pools = pools;
    sql = plain ? PaymentRow.INTO_PLAIN : PaymentRow.INTO_LEDGER;
  }

  @Override
  public boolean validates() {
    return true;
  }

  @Override
  public void handle(RoutingContext ctx) {
    String key = ctx.request().getHeader("Idempotency-Key");
    UnlayeredPayments.then(
        ctx,
        payments
            .charge(ctx, TENANT, key)
            .compose(
                charged ->
                    pools
                        .current()
                        .preparedQuery(sql)
                        .execute(PaymentRow.of(charged.payment()))
                        .map(rows -> charged)),
        charged -> UnlayeredPayments.answer(ctx, charged.location(), charged.body()));
  }
}
