package dev.latchkey.psp;

import io.vertx.core.Future;
import java.util.OptionalLong;

/**
 * Moves money at the payment service provider. Every call carries an idempotency key, the same on
 * every attempt at the same thing, and is sent again under it, within a bound, while its answer
 * stays away. The PSP's word is final: it enforces states and sums. The futures never fail; what
 * goes wrong is a value.
 */
public interface PspGateway {

  /**
   * Authorises an amount and, when asked, captures it at once.
   *
   * @param idempotencyKey derived from the request
   * @param amount in minor units
   * @param currency ISO 4217, upper case
   * @param paymentMethod such as {@code pm_card_visa}
   * @param capture whether to capture at once
   * @return what the PSP said
   */
  Future<PspResult> charge(
      String idempotencyKey, long amount, String currency, String paymentMethod, boolean capture);

  /**
   * Captures an authorised charge, once; the rest is given back.
   *
   * @param idempotencyKey derived from the request
   * @param charge the PSP's id
   * @param amount in minor units, all of it when left out
   * @return what the PSP said
   */
  Future<PspResult> capture(String idempotencyKey, String charge, OptionalLong amount);

  /**
   * Gives an authorised charge back.
   *
   * @param idempotencyKey derived from the request
   * @param charge the PSP's id
   * @return what the PSP said
   */
  Future<PspResult> cancel(String idempotencyKey, String charge);

  /**
   * Refunds captured money.
   *
   * @param idempotencyKey derived from the request
   * @param charge the PSP's id
   * @param amount in minor units, the rest when left out
   * @return what the PSP said
   */
  Future<PspResult> refund(String idempotencyKey, String charge, OptionalLong amount);

  /**
   * Lets go of connections. Calls under way end as unavailable.
   *
   * @return completes when they are closed
   */
  default Future<Void> close() {
    return Future.succeededFuture();
  }
}
