package dev.latchkey.ledger;

import java.util.Optional;

/**
 * Which payments to list.
 *
 * @param tenant whose
 * @param limit at most so many, 1 to {@value #MAX_LIMIT}
 * @param startingAfter only those older than this one, which must belong to the same list
 * @param customer only this customer's
 * @param idempotencyKey only those that a request with this key made
 */
public record PaymentQuery(
    String tenant,
    int limit,
    Optional<String> startingAfter,
    Optional<String> customer,
    Optional<String> idempotencyKey) {

  /** Largest page. */
  public static final int MAX_LIMIT = 100;

  /** The page size where nobody asked for another. */
  public static final int DEFAULT_LIMIT = 20;

  /**
   * Checks the limit.
   *
   * @throws IllegalArgumentException when it is out of bounds
   */
  public PaymentQuery {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new IllegalArgumentException("limit is " + limit + ", allowed are 1 to " + MAX_LIMIT);
    }
  }
}
