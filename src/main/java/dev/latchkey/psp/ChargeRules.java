package dev.latchkey.psp;

import dev.latchkey.psp.PspAnswer.Approved;
import dev.latchkey.psp.PspAnswer.Refused;
import dev.latchkey.psp.PspResult.PspRefund;
import dev.latchkey.psp.SimulatedCharge.Status;
import java.util.Optional;
import java.util.function.Supplier;

/** Which states and sums allow which call on an existing charge. Pure. */
final class ChargeRules {
  private ChargeRules() {}

  static PspAnswer decide(
      SimulatedCharge charge, PspCall.OnCharge call, Supplier<String> refundId) {
    if (call instanceof PspCall.Capture capture) {
      return capture(charge, capture);
    }
    if (call instanceof PspCall.Cancel) {
      return charge.status() == Status.AUTHORIZED
          ? approved(charge.canceled())
          : refused(charge, "cannot be canceled");
    }
    if (call instanceof PspCall.Refund refund) {
      return refund(charge, refund, refundId);
    }
    // A second dispute changes nothing, so that it can be sent again without a key.
    return charge.capturedAmount() > 0
        ? approved(charge.asDisputed())
        : refused(charge, "holds no captured money to dispute");
  }

  private static PspAnswer capture(SimulatedCharge charge, PspCall.Capture call) {
    if (charge.status() != Status.AUTHORIZED) {
      return refused(charge, "cannot be captured");
    }
    long amount = call.amount().orElse(charge.amount());
    return amount > charge.amount()
        ? tooMuch(charge, "capture", amount, charge.amount())
        : approved(charge.captured(amount));
  }

  private static PspAnswer refund(
      SimulatedCharge charge, PspCall.Refund call, Supplier<String> refundId) {
    if (charge.refundable() == 0) {
      return refused(charge, "has nothing left to refund");
    }
    long amount = call.amount().orElse(charge.refundable());
    return amount > charge.refundable()
        ? tooMuch(charge, "refund", amount, charge.refundable())
        : new Approved(charge.refunded(amount), Optional.of(new PspRefund(refundId.get(), amount)));
  }

  private static Approved approved(SimulatedCharge charge) {
    return new Approved(charge, Optional.empty());
  }

  private static Refused refused(SimulatedCharge charge, String why) {
    return new Refused("charge " + charge.id() + " is " + charge.status().text() + ", " + why);
  }

  private static Refused tooMuch(SimulatedCharge charge, String what, long amount, long most) {
    return new Refused(
        what
            + " of "
            + amount
            + " on charge "
            + charge.id()
            + " is more than the "
            + most
            + " that is left");
  }
}
