package dev.latchkey.bench;

import dev.latchkey.payments.UnlayeredPayments;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;

/**
 * Returns the same bytes each time, from memory: without validation, or with validation and PSP
 * call, or with these and a response rendered for each request, as the service does.
 */
final class BareBaseline implements Baseline {

  private static final String LOCATION = "/v1/payments/pay_4HQPcoJbTV9SUjCPLLlPLc";
  private static final Buffer BODY =
      Buffer.buffer(
          """
          {"id":"pay_4HQPcoJbTV9SUjCPLLlPLc","object":"payment","amount":1250,"currency":"EUR",\
          "status":"succeeded","captured_amount":1250,"refunded_amount":0,\
          "payment_method":"pm_card_visa","customer":"customer-17",\
          "description":"Order 1017, two items","metadata":{"order":"1017","channel":"web"},\
          "disputed":false,"psp_charge":"ch_4HQPcoJbTV9SUjCPLLlPLc",\
          "created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z",\
          "version":1}""");

  private final UnlayeredPayments payments;
  private final boolean paid;
  private final boolean rendered;

  BareBaseline(UnlayeredPayments payments, boolean paid, boolean rendered) {
    this.payments = payments;
    this.paid = paid;
    this.rendered = rendered;
  }

  @Override
  public boolean validates() {
    return paid;
  }

  @Override
  public void handle(RoutingContext ctx) {
    if (!paid) {
      UnlayeredPayments.answer(ctx, LOCATION, BODY);
      return;
    }
    String key = ctx.request().getHeader("Idempotency-Key");
    if (rendered) {
      UnlayeredPayments.then(
          ctx,
          payments.charge(ctx, TENANT, key),
          charged -> UnlayeredPayments.answer(ctx, charged.location(), charged.body()));
    } else {
      UnlayeredPayments.then(
          ctx,
          payments.chargeAlone(ctx, key),
          ignored -> UnlayeredPayments.answer(ctx, LOCATION, BODY));
    }
  }
}
