package dev.latchkey.payments;

import dev.latchkey.ledger.Ledger;
import dev.latchkey.ledger.Payment;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds the payment in a path. */
final class PaymentLookup {

  // Other texts are not looked up: some ledgers reject them.
  private static final Pattern ID = Pattern.compile("pay_[0-9A-Za-z]{1,64}");

  private final Ledger ledger;

  PaymentLookup(Ledger ledger) {
    this.ledger = ledger;
  }

  /**
   * Finds a payment.
   *
   * @param tenant the caller
   * @param id any text
   * @return the payment, if it belongs to the tenant
   */
  Future<Optional<Payment>> find(String tenant, String id) {
    return ID.matcher(id).matches()
        ? ledger.findPayment(tenant, id)
        : Future.succeededFuture(Optional.empty());
  }
}
