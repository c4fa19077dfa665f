package dev.latchkey.service.ops;

import dev.latchkey.psp.PspGateway;
import dev.latchkey.psp.PspResult;
import io.vertx.core.Future;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Measures the calls to a PSP, retries included. Thread-safe. */
public final class MeteredPsp implements PspGateway {

  private final PspGateway psp;
  private final NodeMetrics metrics;

  /**
   * Creates the gateway.
   *
   * @param psp executes the calls
   * @param metrics receives their durations
   */
  public MeteredPsp(PspGateway psp, NodeMetrics metrics) {
    this.psp = psp;
    this.metrics = metrics;
  }

  @Override
  public PspGateway forTenant(String tenant) {
    return new MeteredPsp(psp.forTenant(tenant), metrics);
  }

  @Override
  public Future<PspResult> charge(
      String key, long amount, String currency, String paymentMethod, boolean capture) {
    return metered("charge", () -> psp.charge(key, amount, currency, paymentMethod, capture));
  }

  @Override
  public Future<PspResult> capture(String key, String charge, OptionalLong amount) {
    return metered("capture", () -> psp.capture(key, charge, amount));
  }

  @Override
  public Future<PspResult> cancel(String key, String charge) {
    return metered("cancel", () -> psp.cancel(key, charge));
  }

  @Override
  public Future<PspResult> refund(String key, String charge, OptionalLong amount) {
    return metered("refund", () -> psp.refund(key, charge, amount));
  }

  @Override
  public Future<Void> close() {
    return psp.close();
  }

  private Future<PspResult> metered(String operation, Supplier<Future<PspResult>> call) {
    long fromNanos = System.nanoTime();
    return call.get()
        .onComplete(
            ended ->
                metrics.pspCalled(
                    operation, outcome(ended.result()), System.nanoTime() - fromNanos));
  }

  private static String outcome(@Nullable PspResult result) {
    if (result instanceof PspResult.Approved) {
      return "approved";
    } else if (result instanceof PspResult.Declined) {
      return "declined";
    } else if (result instanceof PspResult.Refused) {
      return "refused";
    }
    return result instanceof PspResult.Rejected ? "rejected" : "unavailable";
  }
}
