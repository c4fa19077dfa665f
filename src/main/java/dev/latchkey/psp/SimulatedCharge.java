package dev.latchkey.psp;

import dev.latchkey.psp.PspResult.PspCharge;

/** A charge as the simulator keeps it. Immutable. */
record SimulatedCharge(
    String id,
    long amount,
    String currency,
    String paymentMethod,
    Status status,
    long capturedAmount,
    long refundedAmount,
    boolean disputed,
    String idempotencyKey,
    long createdAtMillis) {

  enum Status {
    AUTHORIZED("authorized"),
    CAPTURED("captured"),
    CANCELED("canceled"),
    PARTIALLY_REFUNDED("partially_refunded"),
    REFUNDED("refunded");

    private final String text;

    Status(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  static SimulatedCharge of(String id, PspCall.Charge call, String key, long nowMillis) {
    return new SimulatedCharge(
        id,
        call.amount(),
        call.currency(),
        call.paymentMethod(),
        call.capture() ? Status.CAPTURED : Status.AUTHORIZED,
        call.capture() ? call.amount() : 0,
        0,
        false,
        key,
        nowMillis);
  }

  long refundable() {
    return capturedAmount - refundedAmount;
  }

  SimulatedCharge captured(long captured) {
    return with(Status.CAPTURED, captured, 0, disputed);
  }

  SimulatedCharge canceled() {
    return with(Status.CANCELED, 0, 0, disputed);
  }

  SimulatedCharge refunded(long more) {
    long refunded = refundedAmount + more;
    Status next = refunded == capturedAmount ? Status.REFUNDED : Status.PARTIALLY_REFUNDED;
    return with(next, capturedAmount, refunded, disputed);
  }

  SimulatedCharge asDisputed() {
    return with(status, capturedAmount, refundedAmount, true);
  }

  PspCharge toPspCharge() {
    return new PspCharge(id, amount, currency, status.text(), capturedAmount, refundedAmount);
  }

  private SimulatedCharge with(Status next, long captured, long refunded, boolean isDisputed) {
    return new SimulatedCharge(
        id,
        amount,
        currency,
        paymentMethod,
        next,
        captured,
        refunded,
        isDisputed,
        idempotencyKey,
        createdAtMillis);
  }
}
