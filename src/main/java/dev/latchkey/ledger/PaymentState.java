package dev.latchkey.ledger;

import java.util.Optional;

/**
 * The part of a payment that changes. The methods compute the next state. The ledger checks whether
 * the change is allowed when it writes.
 *
 * @param status of the payment
 * @param capturedAmount in minor units
 * @param refundedAmount in minor units
 * @param disputed whether the cardholder disputes the payment
 * @param closingKey the key of the PSP request that ended {@code requires_capture}; empty before,
 *     and if a later refund was recorded first
 * @param updatedAtEpochMillis time of the last change, never before an earlier change
 * @param version number of this state, from 1
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
   * Returns the first state.
   *
   * @param capturedAmount in minor units, 0 if not captured yet
   * @param nowEpochMillis time of creation
   * @return the state, at version 1
   */
  public static PaymentState first(long capturedAmount, long nowEpochMillis) {
    PaymentStatus status =
        capturedAmount > 0 ? PaymentStatus.SUCCEEDED : PaymentStatus.REQUIRES_CAPTURE;
    return new PaymentState(status, capturedAmount, 0, false, Optional.empty(), nowEpochMillis, 1);
  }

  /**
   * Returns the state after a capture.
   *
   * @param amount in minor units
   * @param key the derived key of the capture, if known
   * @param nowEpochMillis time of the change
   * @return the next state
   */
  public PaymentState captured(long amount, Optional<String> key, long nowEpochMillis) {
    return next(PaymentStatus.SUCCEEDED, amount, refundedAmount, key, nowEpochMillis);
  }

  /**
   * Returns the state after a cancel.
   *
   * @param key the derived key of the cancel
   * @param nowEpochMillis time of the change
   * @return the next state
   */
  public PaymentState canceled(String key, long nowEpochMillis) {
    return next(
        PaymentStatus.CANCELED, capturedAmount, refundedAmount, Optional.of(key), nowEpochMillis);
  }

  /**
   * Returns the state after one more refund.
   *
   * @param amount in minor units
   * @param nowEpochMillis time of the change
   * @return the next state
   */
  public PaymentState refunded(long amount, long nowEpochMillis) {
    long total = refundedAmount + amount;
    PaymentStatus then =
        total == capturedAmount ? PaymentStatus.REFUNDED : PaymentStatus.PARTIALLY_REFUNDED;
    return next(then, capturedAmount, total, closingKey, nowEpochMillis);
  }

  /**
   * Returns the state after a change of the client's texts.
   *
   * @param nowEpochMillis time of the change
   * @return the next state
   */
  public PaymentState amended(long nowEpochMillis) {
    return next(status, capturedAmount, refundedAmount, closingKey, nowEpochMillis);
  }

  /**
   * Returns the state with another version, for a write that makes two changes at once.
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
