package dev.latchkey.ledger;

import java.util.Optional;

/**
 * Selects a page of a list of payments.
 *
 * @param tenant the owner
 * @param limit maximum number of payments, 1 to {@value #MAX_LIMIT}
 * @param startingAfter id of a payment of the tenant with the filter's customer and key; selects
 *     older ones
 * @param filter selects the payments
 */
public record PaymentQuery(
    String tenant, int limit, Optional<String> startingAfter, PaymentFilter filter) {

  /** Largest possible limit of a list. */
  public static final int MAX_LIMIT = 100;

  /** Limit of a request without one. */
  public static final int DEFAULT_LIMIT = 20;

  /**
   * Checks the limit.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public PaymentQuery {
    checkLimit(limit);
  }

  static void checkLimit(int limit) {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new IllegalArgumentException("limit must be 1 to " + MAX_LIMIT + ", not " + limit);
    }
  }
}
