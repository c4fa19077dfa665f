package dev.latchkey.payments;

import dev.latchkey.web.IdempotencyOptions;
import dev.latchkey.web.KeyScope;
import java.time.InstantSource;
import java.util.function.Predicate;

/**
 * Options of the payments API.
 *
 * @param idempotency options of the keyed routes; the API sets scope and status URL
 * @param scope identifies the caller
 * @param maxBodyBytes limit of a request body, positive
 * @param paymentMethods tests whether a payment method exists; called on event loops
 * @param clock for the times of payments
 * @param ids creates the ids of payments and refunds
 */
public record PaymentsOptions(
    IdempotencyOptions idempotency,
    KeyScope scope,
    int maxBodyBytes,
    Predicate<String> paymentMethods,
    InstantSource clock,
    IdSource ids) {

  /**
   * Checks the limit.
   *
   * @throws IllegalArgumentException if {@code maxBodyBytes} is not positive
   */
  public PaymentsOptions {
    if (maxBodyBytes <= 0) {
      throw new IllegalArgumentException("maxBodyBytes must be positive, not " + maxBodyBytes);
    }
  }

  /**
   * Returns options with the system clock and {@linkplain IdSource#timeOrdered time-ordered ids}.
   *
   * @param idempotency options of the keyed routes
   * @param scope identifies the caller
   * @param maxBodyBytes limit of a request body, positive
   * @param paymentMethods tests whether a payment method exists
   * @return the options
   */
  public static PaymentsOptions of(
      IdempotencyOptions idempotency,
      KeyScope scope,
      int maxBodyBytes,
      Predicate<String> paymentMethods) {
    InstantSource clock = InstantSource.system();
    return new PaymentsOptions(
        idempotency, scope, maxBodyBytes, paymentMethods, clock, IdSource.timeOrdered(clock));
  }
}
