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
 * sums. Amounts are in minor units; a charge is named by the PSP's id. Futures never fail, because
 * every failure is a {@link PspResult}. They complete on the caller's context. Safe for use by any
 * thread.
 */
public interface PspGateway {

  /** Most connections to a PSP over HTTP. Calls beyond them wait within their time limit. */
  int MAX_CONNECTIONS = 1_024;

  /**
   * Creates a gateway to a PSP over HTTP. Connecting takes at most 2 s.
   *
   * @param vertx the instance to run on
   * @param url base URL of the PSP, such as {@code http://127.0.0.1:8090}
   * @param timeoutMillis limit for a call's response, retries included; positive
   * @param maxPerTenant most concurrent calls of one tenant; see {@link #forTenant}
   * @return the gateway; close it to close its connections
   * @throws IllegalArgumentException if the URL or the timeout is invalid
   */
  static PspGateway overHttp(Vertx vertx, URI url, long timeoutMillis, int maxPerTenant) {
    PspTransport transport = new HttpPspTransport(vertx, BaseUrl.parse(url.toString()));
    return over(vertx, new TenantLimitedTransport(vertx, transport, maxPerTenant), timeoutMillis);
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
   * Returns this gateway for the calls of one tenant, which wait for each other above the tenant's
   * limit of concurrent calls.
   */
  default PspGateway forTenant(String tenant) {
    return this;
  }

  /** Authorises an amount and optionally captures it at once. */
  Future<PspResult> charge(
      String idempotencyKey, long amount, String currency, String paymentMethod, boolean capture);

  /** Captures an authorised charge, once. The remainder is released. Empty captures all. */
  Future<PspResult> capture(String idempotencyKey, String charge, OptionalLong amount);

  /** Cancels an authorised charge. */
  Future<PspResult> cancel(String idempotencyKey, String charge);

  /** Refunds captured money. Empty refunds the remainder. */
  Future<PspResult> refund(String idempotencyKey, String charge, OptionalLong amount);

  /** Closes connections. Calls in progress end as unavailable. */
  default Future<Void> close() {
    return Future.succeededFuture();
  }
}
