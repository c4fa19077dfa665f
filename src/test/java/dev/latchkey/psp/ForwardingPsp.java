package dev.latchkey.psp;

import io.vertx.core.Future;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** A gateway that forwards all calls; subclasses override {@link #call}. */
public abstract class ForwardingPsp implements PspGateway {

  private final PspGateway target;

  protected ForwardingPsp(PspGateway target) {
    this.target = target;
  }

  /** Executes a call, which has not started. */
  protected Future<PspResult> call(Supplier<Future<PspResult>> call) {
    return call.get();
  }

  @Override
  public Future<PspResult> charge(
      String idempotencyKey, long amount, String currency, String paymentMethod, boolean capture) {
    return call(() -> target.charge(idempotencyKey, amount, currency, paymentMethod, capture));
  }

  @Override
  public Future<PspResult> capture(String idempotencyKey, String charge, OptionalLong amount) {
    return call(() -> target.capture(idempotencyKey, charge, amount));
  }

  @Override
  public Future<PspResult> cancel(String idempotencyKey, String charge) {
    return call(() -> target.cancel(idempotencyKey, charge));
  }

  @Override
  public Future<PspResult> refund(String idempotencyKey, String charge, OptionalLong amount) {
    return call(() -> target.refund(idempotencyKey, charge, amount));
  }
}
