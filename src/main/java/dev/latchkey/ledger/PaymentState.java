package dev.latchkey.ledger;

import java.util.Optional;

/**
 * What changes about a payment. The methods say what a change leads to; whether it is allowed is
 * for the ledger to check when it writes.
 *
 * @param status where it stands
 * @param capturedAmount in minor units
 * @param refundedAmount in minor units
 * @param disputed whether the cardholder disputes it
 * @param closingKey the key under which the PSP was asked for the capture or cancel that ended
 *     {@code requires_capture}; empty while that lasts, and where the ledger learned of it through
 *     something later
 * @param updatedAtEpochMillis when it changed last, never before an earlier change
 * @param version counts the states, from 1
 */
public record PaymentState(
    PaymentStatus status,
    long capturedAmount,
    long refundedAmount,
    boolean disputed,
    Optional<String> closingKey,
    long updatedAtEpochMillis,
    long version) {

  /**
   * The first state.
   *
   * @param capturedAmount in minor units, 0 when it is yet to be captured
   * @param nowEpochMillis when it is made
   * @return the state with version 1
   */
  public static PaymentState first(long capturedAmount, long nowEpochMillis) {
    PaymentStatus status =
        capturedAmount > 0 ? PaymentStatus.SUCCEEDED : PaymentStatus.REQUIRES_CAPTURE;
    return new PaymentState(status, capturedAmount, 0, false, Optional.empty(), nowEpochMillis, 1);
  }

  /**
   * The state after a capture.
   *
   * @param amount in minor units
   * @param key the derived key of the capture, if it is known
   * @param nowEpochMillis when
   * @return the next state
   */
  public PaymentState captured(long amount, Optional<String> key, long nowEpochMillis) {
    return next(PaymentStatus.SUCCEEDED, amount, refundedAmount, key, nowEpochMillis);
  }

  /**
   * The state after a cancel.
   *
   * @param key the derived key of the cancel
   * @param nowEpochMillis when
   * @return the next state
   */
  public PaymentState canceled(String key, long nowEpochMillis) {
    return next(
        PaymentStatus.CANCELED, capturedAmount, refundedAmount, Optional.of(key), nowEpochMillis);
  }

  /**
   * The state after one more refund.
   *
   * @param amount in minor units
   * @param nowEpochMillis when
   * @return the next state
   */
  public PaymentState refunded(long amount, long nowEpochMillis) {
    long total = refundedAmount + amount;
    PaymentStatus then =
        total == capturedAmount ? PaymentStatus.REFUNDED : PaymentStatus.PARTIALLY_REFUNDED;
    return next(then, capturedAmount, total, closingKey, nowEpochMillis);
  }

  /**
   * The state after the client has changed what it says about the payment.
   *
   * @param nowEpochMillis when
   * @return the next state
   */
  public PaymentState amended(long nowEpochMillis) {
    return next(status, capturedAmount, refundedAmount, closingKey, nowEpochMillis);
  }

  /**
   * The same state under another version, for a write that makes two changes at once.
   *
   * @param number the version
   * @return the state
   */
  public PaymentState asVersion(long number) {
    return new PaymentState(
        status, capturedAmount, refundedAmount, disputed, closingKey, updatedAtEpochMillis, number);
  }

  private PaymentState next(
      PaymentStatus then, long captured, long refunded, Optional<String> key, long now) {
    return new PaymentState(
        then, captured, refunded, disputed, key, Math.max(updatedAtEpochMillis, now), version + 1);
  }
}
