package dev.latchkey.ledger;

import java.util.Optional;

/**
 * Selects a page of a list of payments.
 *
 * @param tenant the owner
 * @param limit maximum number of payments, 1 to {@value #MAX_LIMIT}
 * @param startingAfter id of a payment of the same list; selects older ones
 * @param customer selects the payments of this customer
 * @param idempotencyKey selects the payments that requests with this key created
 */
public record PaymentQuery(
    String tenant,
    int limit,
    Optional<String> startingAfter,
    Optional<String> customer,
    Optional<String> idempotencyKey) {

  /** Largest possible limit. */
  public static final int MAX_LIMIT = 100;

  /** Limit of a request without one. */
  public static final int DEFAULT_LIMIT = 20;

  /**
   * Checks the limit.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public PaymentQuery {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new IllegalArgumentException("limit must be 1 to " + MAX_LIMIT + ", not " + limit);
    }
  }
}
