package dev.latchkey.psp;

import dev.latchkey.psp.JournalRecord.Answered;
import dev.latchkey.psp.PspAnswer.Approved;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the simulator answers to a call that is carried out, and which event tells of it. Changes
 * nothing itself; guarded by whatever guards the books.
 */
final class PspDecisions {

  private final PspBooks books;
  private final PspIds ids;
  private final boolean emitsEvents;

  PspDecisions(PspBooks books, PspIds ids, boolean emitsEvents) {
    this.books = books;
    this.ids = ids;
    this.emitsEvents = emitsEvents;
  }

  /**
   * Decides by the books as they stand; a call on a charge needs that charge to be there.
   *
   * @param key what the call came under
   */
  Answered decide(Optional<String> key, PspCall call) {
    PspAnswer answer =
        call instanceof PspCall.Charge charge
            ? charged(key.orElseThrow(), charge)
            : onCharge((PspCall.OnCharge) call);
    return new Answered(key, call, answer, event(call, answer));
  }

  private PspAnswer charged(String key, PspCall.Charge charge) {
    return TestPaymentMethod.parse(charge.paymentMethod()).orElseThrow()
            instanceof TestPaymentMethod.Declined declined
        ? new PspAnswer.Declined(declined.declineCode())
        : new Approved(
            SimulatedCharge.of(ids.next("ch_"), charge, key, ids.nowMillis()), Optional.empty());
  }

  private PspAnswer onCharge(PspCall.OnCharge call) {
    SimulatedCharge charge = books.charge(call.charge()).orElseThrow();
    return ChargeRules.decide(charge, call, () -> ids.next("re_"));
  }

  private Optional<PspEvent> event(PspCall call, PspAnswer answer) {
    if (!(answer instanceof Approved approved)) {
      return Optional.empty();
    }
    SimulatedCharge charge = approved.charge();
    boolean known = call instanceof PspCall.Dispute && disputedBefore(charge);
    OptionalLong amount =
        approved.refund().map(r -> OptionalLong.of(r.amount())).orElse(OptionalLong.empty());
    return eventOf(call)
        .filter(type -> !known)
        .map(type -> new PspEvent(ids.next("evt_"), type, ids.nowMillis(), charge.id(), amount));
  }

  private boolean disputedBefore(SimulatedCharge charge) {
    return books.charge(charge.id()).filter(SimulatedCharge::disputed).isPresent();
  }

  /** The type of event that this call sends when it is approved. */
  Optional<String> eventOf(PspCall call) {
    if (!emitsEvents) {
      return Optional.empty();
    }
    if (call instanceof PspCall.Refund refund && refund.byPsp()) {
      return Optional.of(PspEvent.REFUNDED);
    }
    return call instanceof PspCall.Dispute ? Optional.of(PspEvent.DISPUTED) : Optional.empty();
  }
}
