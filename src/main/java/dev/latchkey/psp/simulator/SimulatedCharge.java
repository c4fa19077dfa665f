package dev.latchkey.psp.simulator;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.latchkey.psp.PspCall;
import dev.latchkey.psp.PspResult.PspCharge;
import java.time.Instant;
import java.util.Locale;

/** A charge of the simulator, in the form of its JSON. Immutable. */
@JsonIgnoreProperties(value = "object", allowGetters = true)
record SimulatedCharge(
    String id,
    long amount,
    String currency,
    Status status,
    long capturedAmount,
    long refundedAmount,
    String paymentMethod,
    boolean disputed,
    String idempotencyKey,
    String createdAt) {

  enum Status {
    AUTHORIZED,
    CAPTURED,
    CANCELED,
    PARTIALLY_REFUNDED,
    REFUNDED;

    @JsonValue
    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static SimulatedCharge of(String id, PspCall.Charge call, String key, Instant createdAt) {
    return new SimulatedCharge(
        id,
        call.amount(),
        call.currency(),
        call.capture() ? Status.CAPTURED : Status.AUTHORIZED,
        call.capture() ? call.amount() : 0,
        0,
        call.paymentMethod(),
        false,
        key,
        createdAt.toString());
  }

  @JsonProperty
  String object() {
    return "charge";
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
        next,
        captured,
        refunded,
        paymentMethod,
        isDisputed,
        idempotencyKey,
        createdAt);
  }
}
