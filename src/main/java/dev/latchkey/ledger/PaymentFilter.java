package dev.latchkey.ledger;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Selects the payments of a list. Customer and idempotency key have an index. The other conditions
 * are tested payment by payment, newest first.
 *
 * @param customer of the payment
 * @param idempotencyKey of the request that created it
 * @param status of the payment now
 * @param createdAfterEpochMillis selects payments created after this time
 * @param createdBeforeEpochMillis selects payments created before this time
 */
public record PaymentFilter(
    Optional<String> customer,
    Optional<String> idempotencyKey,
    Optional<PaymentStatus> status,
    OptionalLong createdAfterEpochMillis,
    OptionalLong createdBeforeEpochMillis) {

  /** Selects all payments. */
  public static final PaymentFilter ALL = of(Optional.empty(), Optional.empty());

  /**
   * Returns a filter of the conditions that have an index.
   *
   * @param customer of the payment
   * @param idempotencyKey of the request that created it
   * @return the filter
   */
  public static PaymentFilter of(Optional<String> customer, Optional<String> idempotencyKey) {
    return new PaymentFilter(
        customer, idempotencyKey, Optional.empty(), OptionalLong.empty(), OptionalLong.empty());
  }

  /** Returns whether the filter has a condition without an index. */
  public boolean scans() {
    return status.isPresent()
        || createdAfterEpochMillis.isPresent()
        || createdBeforeEpochMillis.isPresent();
  }

  /**
   * Returns whether a payment meets the conditions without an index.
   *
   * @param payment of the list of customer and key
   * @return true if it does
   */
  public boolean passes(Payment payment) {
    long created = payment.origin().createdAtEpochMillis();
    return status.map(it -> it == payment.status()).orElse(true)
        && (createdAfterEpochMillis.isEmpty() || created > createdAfterEpochMillis.getAsLong())
        && (createdBeforeEpochMillis.isEmpty() || created < createdBeforeEpochMillis.getAsLong());
  }
}
