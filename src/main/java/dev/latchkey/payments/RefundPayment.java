package dev.latchkey.payments;

import dev.latchkey.ledger.Ledger;
import dev.latchkey.ledger.LedgerEffect.BookRefund;
import dev.latchkey.ledger.Refund;
import dev.latchkey.payments.Conclusion.Booked;
import dev.latchkey.payments.Conclusion.Done;
import dev.latchkey.payments.Conclusion.Failed;
import dev.latchkey.payments.Conclusion.Reply;
import dev.latchkey.psp.PspGateway;
import dev.latchkey.psp.PspResult;
import dev.latchkey.psp.PspResult.PspCharge;
import dev.latchkey.psp.PspResult.PspRefund;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Gives captured money back and books what the PSP gave. The answer shows the refund alone, so that
 * the booking is relative and refunds of one payment do not get into each other's way.
 */
final class RefundPayment implements PaymentOperation<Command.GiveBack> {

  private final Ledger ledger;
  private final PaymentLookup payments;
  private final PspGateway psp;
  private final InstantSource clock;
  private final IdSource ids;

  RefundPayment(
      Ledger ledger, PaymentLookup payments, PspGateway psp, InstantSource clock, IdSource ids) {
    this.ledger = ledger;
    this.payments = payments;
    this.psp = psp;
    this.clock = clock;
    this.ids = ids;
  }

  @Override
  public Future<Conclusion> run(CallContext attempt, Command.GiveBack command) {
    return payments
        .find(attempt.tenant(), command.payment())
        .compose(
            found ->
                found
                    .map(payment -> giveBack(attempt, command, payment.origin().pspCharge()))
                    .orElseGet(
                        () -> Future.succeededFuture(new Failed(PaymentProblems.noSuchPayment()))));
  }

  private Future<Conclusion> giveBack(
      CallContext attempt, Command.GiveBack command, String charge) {
    String derivedKey = attempt.downstreamKey().apply("refund");
    return psp.refund(derivedKey, charge, command.amount())
        .map(
            result ->
                result instanceof PspResult.Approved approved
                    ? book(attempt, command, derivedKey, approved)
                    : PspAnswers.notApproved(result));
  }

  private Conclusion book(
      CallContext attempt,
      Command.GiveBack command,
      String derivedKey,
      PspResult.Approved approved) {
    PspCharge charge = approved.charge();
    if (approved.refund().isEmpty() || approved.refund().get().amount() <= 0) {
      return PspAnswers.contradicted(
          "the PSP refunded charge " + charge.id() + " without a refund");
    }
    PspRefund given = approved.refund().get();
    Refund refund =
        new Refund(
            attempt.tenant(),
            ids.next("re_"),
            command.payment(),
            given.amount(),
            command.reason(),
            given.id(),
            derivedKey,
            clock.millis());
    return new Booked(
        reply(refund),
        new BookRefund(refund, charge.capturedAmount()),
        () -> ledger.findRefundByPspId(given.id()).map(known -> inTheBooks(refund, known)));
  }

  private static Conclusion inTheBooks(Refund refund, Optional<Refund> known) {
    return known
        .filter(it -> it.tenant().equals(refund.tenant()))
        .filter(it -> it.derivedKey().equals(refund.derivedKey()))
        .<Conclusion>map(it -> new Done(reply(it)))
        .orElseGet(
            () ->
                PspAnswers.contradicted(
                    "PSP refund "
                        + refund.pspRefund()
                        + " of "
                        + refund.payment()
                        + " does not fit into the books"));
  }

  private static Reply reply(Refund refund) {
    return new Reply(
        201,
        Optional.of("/v1/payments/" + refund.payment()),
        OptionalLong.empty(),
        () -> PaymentJson.refund(refund));
  }
}
