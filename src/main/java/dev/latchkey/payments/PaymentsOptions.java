package dev.latchkey.payments;

import dev.latchkey.web.IdempotencyOptions;
import dev.latchkey.web.KeyScope;
import java.time.InstantSource;
import java.util.function.Predicate;

/**
 * How the payments API is set up.
 *
 * @param idempotency options of the keyed routes; scope and status URL are set by the API
 * @param scope says who calls
 * @param maxBodyBytes largest body of a request, positive
 * @param paymentMethods which payment methods exist; called on event loops
 * @param clock gives payments their times
 * @param ids makes the ids of payments and refunds
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
   * @throws IllegalArgumentException when the largest body is not positive
   */
  public PaymentsOptions {
    if (maxBodyBytes <= 0) {
      throw new IllegalArgumentException(
          "maxBodyBytes is " + maxBodyBytes + ", it must be positive");
    }
  }

  /**
   * With the system's clock and {@linkplain IdSource#timeOrdered ids in order of time}.
   *
   * @param idempotency options of the keyed routes
   * @param scope says who calls
   * @param maxBodyBytes largest body of a request, positive
   * @param paymentMethods which payment methods exist
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
