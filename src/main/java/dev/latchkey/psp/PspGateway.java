package dev.latchkey.psp;

import dev.latchkey.net.BaseUrl;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Moves money at the payment service provider. Every call carries an idempotency key and is retried
 * under that key, within a time limit, until its response arrives. The PSP enforces states and
 * sums. Futures never fail, because every failure is a {@link PspResult}. They complete on the
 * caller's context. Safe for use by any thread.
 */
public interface PspGateway {

  /**
   * Creates a gateway to a PSP over HTTP. Connecting takes at most 2 s.
   *
   * @param vertx the instance to run on
   * @param url base URL of the PSP, such as {@code http://127.0.0.1:8090}
   * @param timeoutMillis limit for a call's response, retries included; positive
   * @return the gateway; close it to close its connections
   * @throws IllegalArgumentException if the URL or the timeout is invalid
   */
  static PspGateway overHttp(Vertx vertx, URI url, long timeoutMillis) {
    BaseUrl base = BaseUrl.parse(url.toString());
    return over(vertx, new HttpPspTransport(vertx, base), timeoutMillis);
  }

  /**
   * Creates a gateway over a transport.
   *
   * @param vertx the instance to run on
   * @param transport sends the calls
   * @param timeoutMillis limit for a call's response, retries included; positive
   * @return the gateway
   * @throws IllegalArgumentException if the timeout is not positive
   */
  static PspGateway over(Vertx vertx, PspTransport transport, long timeoutMillis) {
    return new RetryingPspGateway(
        transport,
        millis -> vertx.timer(millis, TimeUnit.MILLISECONDS),
        () -> ThreadLocalRandom.current().nextLong(),
        () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
        timeoutMillis);
  }

  /**
   * Authorises an amount and optionally captures it at once.
   *
   * @param idempotencyKey derived from the request
   * @param amount in minor units
   * @param currency ISO 4217, upper case
   * @param paymentMethod such as {@code pm_card_visa}
   * @param capture whether to capture at once
   * @return the result
   */
  Future<PspResult> charge(
      String idempotencyKey, long amount, String currency, String paymentMethod, boolean capture);

  /**
   * Captures an authorised charge, once. The remainder is released.
   *
   * @param idempotencyKey derived from the request
   * @param charge the PSP's id
   * @param amount in minor units; empty captures all
   * @return the result
   */
  Future<PspResult> capture(String idempotencyKey, String charge, OptionalLong amount);

  /**
   * Cancels an authorised charge.
   *
   * @param idempotencyKey derived from the request
   * @param charge the PSP's id
   * @return the result
   */
  Future<PspResult> cancel(String idempotencyKey, String charge);

  /**
   * Refunds captured money.
   *
   * @param idempotencyKey derived from the request
   * @param charge the PSP's id
   * @param amount in minor units; empty refunds the remainder
   * @return the result
   */
  Future<PspResult> refund(String idempotencyKey, String charge, OptionalLong amount);

  /**
   * Closes connections. Calls in progress end as unavailable.
   *
   * @return completes when the connections are closed
   */
  default Future<Void> close() {
    return Future.succeededFuture();
  }
}
