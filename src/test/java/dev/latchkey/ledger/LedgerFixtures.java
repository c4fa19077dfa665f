package dev.latchkey.ledger;

import dev.latchkey.ledger.LedgerEffect.BookRefund;
import java.util.Optional;

/** Payments and refunds to try ledgers with; everything but what is named follows from the id. */
public final class LedgerFixtures {

  private LedgerFixtures() {}

  public static Payment payment(String tenant, String id, long amount, long captured) {
    return payment(tenant, id, amount, captured, Optional.empty(), "key-" + id);
  }

  public static Payment payment(
      String tenant,
      String id,
      long amount,
      long captured,
      Optional<String> customer,
      String idempotencyKey) {
    return new Payment(
        id,
        new PaymentOrigin(tenant, idempotencyKey, "derived-" + id, "ch_" + id, 1_000),
        new PaymentDetails(
            amount, "EUR", "pm_card_visa", customer, Optional.empty(), Metadata.NONE),
        PaymentState.first(captured, 1_000));
  }

  public static BookRefund refund(Payment payment, String id, long amount) {
    return new BookRefund(
        new Refund(
            payment.tenant(),
            id,
            payment.id(),
            amount,
            Optional.empty(),
            "psp_" + id,
            "derived-" + id,
            2_000),
        payment.details().amount());
  }
}
