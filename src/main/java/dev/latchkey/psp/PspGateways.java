package dev.latchkey.psp;

import io.vertx.core.Vertx;
import java.net.URI;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Makes gateways. Their futures complete on the context that asked. Each is safe for use by any
 * thread and may be shared by all.
 */
public final class PspGateways {
  private PspGateways() {}

  /**
   * A gateway to a PSP that speaks HTTP. Connecting takes 2 s at most.
   *
   * @param vertx what it runs on
   * @param url the PSP's base, http or https, such as {@code http://127.0.0.1:8090}
   * @param pspTimeoutMillis for the PSP's answer, retries included; positive
   * @return the gateway; close it to let go of its connections
   * @throws IllegalArgumentException if the URL or the timeout cannot be used
   */
  public static PspGateway overHttp(Vertx vertx, URI url, long pspTimeoutMillis) {
    return gateway(vertx, new HttpPspTransport(vertx, url), pspTimeoutMillis);
  }

  /**
   * A gateway to a simulator of this process.
   *
   * @param vertx what it runs on
   * @param simulator the PSP
   * @param pspTimeoutMillis for the PSP's answer, retries included; positive
   * @return the gateway
   * @throws IllegalArgumentException if the timeout is not positive
   */
  public static PspGateway inProcess(Vertx vertx, PspSimulator simulator, long pspTimeoutMillis) {
    return gateway(vertx, new InProcessPspTransport(vertx, simulator), pspTimeoutMillis);
  }

  private static PspGateway gateway(Vertx vertx, PspTransport transport, long timeoutMillis) {
    return new RetryingPspGateway(
        transport,
        DelayScheduler.of(vertx),
        () -> ThreadLocalRandom.current().nextLong(),
        () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
        timeoutMillis);
  }
}
