package dev.latchkey.ledger;

import dev.latchkey.core.spi.Effect;

/**
 * A write to the books as data, applied by the store in the commit that completes an idempotency
 * key. Each is relative to what the books say at that moment and carries a check that the store
 * enforces inside that commit; what does not apply is refused and changes nothing. An effect whose
 * answer shows the changed payment carries the version that the answer was rendered from.
 */
public sealed interface LedgerEffect extends Effect {

  /**
   * Books a new payment. Refused when its id or its charge is in the books already, under any
   * tenant.
   *
   * @param payment at version 1
   */
  record InsertPayment(Payment payment) implements LedgerEffect {
    @Override
    public String name() {
      return "insert-payment";
    }
  }

  /**
   * Books a capture. Refused unless the payment is at this version and {@code requires_capture},
   * and the amount is at most what was authorised.
   *
   * @param tenant whose payment
   * @param payment its id
   * @param version what the answer was rendered from
   * @param amount in minor units, as the PSP answered
   * @param derivedKey the key under which the PSP was asked
   * @param atEpochMillis when
   */
  record BookCapture(
      String tenant,
      String payment,
      long version,
      long amount,
      String derivedKey,
      long atEpochMillis)
      implements LedgerEffect {
    @Override
    public String name() {
      return "book-capture";
    }
  }

  /**
   * Books a cancel. Refused unless the payment is at this version and {@code requires_capture}.
   *
   * @param tenant whose payment
   * @param payment its id
   * @param version what the answer was rendered from
   * @param derivedKey the key under which the PSP was asked
   * @param atEpochMillis when
   */
  record BookCancel(
      String tenant, String payment, long version, String derivedKey, long atEpochMillis)
      implements LedgerEffect {
    @Override
    public String name() {
      return "book-cancel";
    }
  }

  /**
   * Books a refund, and adds its amount to what the payment gave back. Refused when its id or the
   * PSP's id of it is in the books already, under any tenant, and when the payment would give back
   * more than was captured.
   *
   * <p>The PSP refunds what it captured, and the booking of that capture may still be under way. A
   * payment that is {@code requires_capture} here is therefore captured first, by what the PSP says
   * was captured.
   *
   * @param refund what to book
   * @param capturedAmount what the PSP says was captured, in minor units; matters only while the
   *     payment is {@code requires_capture}
   */
  record BookRefund(Refund refund, long capturedAmount) implements LedgerEffect {
    @Override
    public String name() {
      return "book-refund";
    }
  }
}
