package dev.latchkey.psp.simulator;

import dev.latchkey.psp.PspCall;
import dev.latchkey.psp.PspResult.PspRefund;
import dev.latchkey.psp.simulator.SimulatedCharge.Status;
import dev.latchkey.psp.simulator.SimulatorResult.Approved;
import dev.latchkey.psp.simulator.SimulatorResult.Problem;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Validity of calls, and which states and sums allow which call on a charge. Pure. */
final class ChargeRules {

  private ChargeRules() {}

  /** Returns the reason why a call is invalid in every state; empty if it is valid. */
  static Optional<String> fault(@Nullable String key, PspCall call) {
    if (key == null && !(call instanceof PspCall.Dispute)) {
      return Optional.of("an idempotency key is required");
    }
    return call instanceof PspCall.Charge && TestPaymentMethod.of(call).isEmpty()
        ? Optional.of("payment_method is not one of the simulator's")
        : call.fault();
  }

  static SimulatorResult decide(
      SimulatedCharge charge, PspCall.OnCharge call, Supplier<String> refundId) {
    if (call instanceof PspCall.Capture capture) {
      return capture(charge, capture.amount());
    }
    if (call instanceof PspCall.Cancel) {
      return charge.status() == Status.AUTHORIZED
          ? approved(charge.canceled())
          : refused(charge, "cannot be canceled");
    }
    if (call instanceof PspCall.Refund refund) {
      return refund(charge, refund.amount(), refundId);
    }
    // A second dispute changes nothing, so it can be repeated without a key.
    return charge.capturedAmount() > 0
        ? approved(charge.asDisputed())
        : refused(charge, "has no captured money to dispute");
  }

  private static SimulatorResult capture(SimulatedCharge charge, @Nullable Long requested) {
    if (charge.status() != Status.AUTHORIZED) {
      return refused(charge, "cannot be captured");
    }
    long amount = requested == null ? charge.amount() : requested;
    return amount > charge.amount()
        ? tooMuch(charge, "capture", amount, charge.amount())
        : approved(charge.captured(amount));
  }

  private static SimulatorResult refund(
      SimulatedCharge charge, @Nullable Long requested, Supplier<String> refundId) {
    if (charge.refundable() == 0) {
      return refused(charge, "has nothing left to refund");
    }
    long amount = requested == null ? charge.refundable() : requested;
    return amount > charge.refundable()
        ? tooMuch(charge, "refund", amount, charge.refundable())
        : new Approved(charge.refunded(amount), new PspRefund(refundId.get(), amount));
  }

  private static Approved approved(SimulatedCharge charge) {
    return new Approved(charge, null);
  }

  private static Problem refused(SimulatedCharge charge, String reason) {
    return new Problem(
        409, "charge " + charge.id() + " is " + charge.status().text() + ", " + reason);
  }

  private static Problem tooMuch(SimulatedCharge charge, String operation, long amount, long most) {
    return new Problem(
        409,
        operation
            + " of "
            + amount
            + " on charge "
            + charge.id()
            + " exceeds the remaining "
            + most);
  }
}
