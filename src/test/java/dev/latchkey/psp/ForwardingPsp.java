package dev.latchkey.psp;

import io.vertx.core.Future;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Passes every call on to another way to the PSP; what is done with a call is one method. */
public abstract class ForwardingPsp implements PspGateway {

  private final PspGateway behind;

  protected ForwardingPsp(PspGateway behind) {
    this.behind = behind;
  }

  /** Carries out a call of whatever kind, which has not begun. */
  protected Future<PspResult> call(Supplier<Future<PspResult>> asked) {
    return asked.get();
  }

  @Override
  public Future<PspResult> charge(
      String idempotencyKey, long amount, String currency, String paymentMethod, boolean capture) {
    return call(() -> behind.charge(idempotencyKey, amount, currency, paymentMethod, capture));
  }

  @Override
  public Future<PspResult> capture(String idempotencyKey, String charge, OptionalLong amount) {
    return call(() -> behind.capture(idempotencyKey, charge, amount));
  }

  @Override
  public Future<PspResult> cancel(String idempotencyKey, String charge) {
    return call(() -> behind.cancel(idempotencyKey, charge));
  }

  @Override
  public Future<PspResult> refund(String idempotencyKey, String charge, OptionalLong amount) {
    return call(() -> behind.refund(idempotencyKey, charge, amount));
  }
}
