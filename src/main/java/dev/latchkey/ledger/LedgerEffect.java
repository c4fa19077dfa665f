package dev.latchkey.ledger;

import dev.latchkey.core.spi.Effect;

/**
 * A write to the ledger as data, applied by the store in the commit that completes an idempotency
 * key. It is relative to the current state and has a check that the store enforces in that commit.
 * An effect that does not apply is refused and changes nothing. An effect whose response shows the
 * changed payment carries the version from which the response was rendered.
 */
public sealed interface LedgerEffect extends Effect {

  /**
   * Records a new payment. Refused if the ledger has its id or its charge, under any tenant.
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
   * Records a capture. Refused unless the payment is at this version and {@code requires_capture},
   * and the amount is at most the authorised amount.
   *
   * @param tenant the owner
   * @param payment id of the payment
   * @param version from which the response was rendered
   * @param amount in minor units, as returned by the PSP
   * @param derivedKey the key of the request to the PSP
   * @param atEpochMillis time of recording
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
   * Records a cancel. Refused unless the payment is at this version and {@code requires_capture}.
   *
   * @param tenant the owner
   * @param payment id of the payment
   * @param version from which the response was rendered
   * @param derivedKey the key of the request to the PSP
   * @param atEpochMillis time of recording
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
   * Records a refund and adds it to the refunded amount of the payment. Refused if the ledger has
   * its id or the PSP's id of it, under any tenant, or if more would be refunded than captured.
   *
   * <p>The PSP refunds captured money, but the capture may not be recorded yet. A payment that is
   * still {@code requires_capture} is therefore captured first, by the amount that the PSP
   * returned.
   *
   * @param refund to record
   * @param capturedAmount captured according to the PSP, in minor units; matters only while the
   *     payment is {@code requires_capture}
   */
  record BookRefund(Refund refund, long capturedAmount) implements LedgerEffect {
    @Override
    public String name() {
      return "book-refund";
    }
  }
}
