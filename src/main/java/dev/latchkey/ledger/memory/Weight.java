package dev.latchkey.ledger.memory;

import dev.latchkey.ledger.Customer;
import dev.latchkey.ledger.Metadata;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.Refund;
import java.util.Map;
import java.util.Optional;

/**
 * Estimates the heap bytes of ledger data: a constant for objects and index entries, and two bytes
 * per character of text.
 */
final class Weight {

  private static final long PAYMENT_BYTES = 900;
  private static final long REFUND_BYTES = 500;
  private static final long CUSTOMER_BYTES = 400;
  private static final long MEMBER_BYTES = 150;

  private Weight() {}

  static long of(Payment payment) {
    long chars =
        (long) payment.id().length()
            + payment.origin().idempotencyKey().length()
            + payment.origin().derivedKey().length()
            + payment.origin().pspCharge().length()
            + payment.details().paymentMethod().length()
            + length(payment.details().customer())
            + length(payment.details().description())
            + length(payment.state().closingKey());
    return PAYMENT_BYTES + 2 * chars + of(payment.details().metadata());
  }

  static long of(Refund refund) {
    long chars =
        (long) refund.id().length()
            + refund.pspRefund().length()
            + refund.derivedKey().length()
            + length(refund.reason());
    return REFUND_BYTES + 2 * chars;
  }

  static long of(Customer customer) {
    long chars = (long) customer.id().length() + length(customer.name()) + length(customer.email());
    return CUSTOMER_BYTES + 2 * chars;
  }

  private static int length(Optional<String> text) {
    return text.isPresent() ? text.get().length() : 0;
  }

  private static long of(Metadata metadata) {
    long bytes = 0;
    for (Map.Entry<String, Metadata.Value> member : metadata.members().entrySet()) {
      bytes += MEMBER_BYTES + 2L * member.getKey().length();
      if (member.getValue() instanceof Metadata.Text text) {
        bytes += 2L * text.text().length();
      } else if (member.getValue() instanceof Metadata.Numeric numeric) {
        bytes += numeric.number().precision();
      }
    }
    return bytes;
  }
}
