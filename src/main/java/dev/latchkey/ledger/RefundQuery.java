package dev.latchkey.ledger;

import java.util.Optional;

/**
 * Selects a page of the refunds of a payment.
 *
 * @param tenant the owner
 * @param payment id of the payment
 * @param limit maximum number of refunds, 1 to {@value PaymentQuery#MAX_LIMIT}
 * @param startingAfter id of a refund of the payment; selects older ones
 */
public record RefundQuery(
    String tenant, String payment, int limit, Optional<String> startingAfter) {

  /**
   * Checks the limit.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public RefundQuery {
    PaymentQuery.checkLimit(limit);
  }
}
