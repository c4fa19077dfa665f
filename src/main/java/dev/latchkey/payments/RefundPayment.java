package dev.latchkey.payments;

import dev.latchkey.ledger.Ledger;
import dev.latchkey.ledger.LedgerEffect.BookRefund;
import dev.latchkey.ledger.Refund;
import dev.latchkey.payments.OperationResult.Failed;
import dev.latchkey.payments.OperationResult.Recorded;
import dev.latchkey.payments.OperationResult.Unrecorded;
import dev.latchkey.psp.PspGateway;
import dev.latchkey.psp.PspResult;
import dev.latchkey.psp.PspResult.PspCharge;
import dev.latchkey.psp.PspResult.PspRefund;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Refunds captured money and records the amount that the PSP returned. The response shows only the
 * refund, so the effect is relative, and refunds of one payment do not conflict.
 */
final class RefundPayment implements PaymentOperation<Command.Refund> {

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
  public Future<OperationResult> run(Attempt attempt, Command.Refund command) {
    return payments
        .find(attempt.tenant(), command.payment())
        .compose(
            found ->
                found
                    .map(payment -> refund(attempt, command, payment.origin().pspCharge()))
                    .orElseGet(
                        () -> Future.succeededFuture(new Failed(PaymentProblems.noSuchPayment()))));
  }

  private Future<OperationResult> refund(Attempt attempt, Command.Refund command, String charge) {
    String derivedKey = attempt.downstreamKey().apply("refund");
    return psp.forTenant(attempt.tenant())
        .refund(derivedKey, charge, command.amount())
        .map(
            result ->
                result instanceof PspResult.Approved approved
                    ? record(attempt, command, derivedKey, approved)
                    : PspFailures.notApproved(result));
  }

  private OperationResult record(
      Attempt attempt, Command.Refund command, String derivedKey, PspResult.Approved approved) {
    PspCharge charge = approved.charge();
    if (approved.refund().isEmpty() || approved.refund().get().amount() <= 0) {
      return PspFailures.contradiction("charge " + charge.id() + " was refunded without a refund");
    }
    PspRefund pspRefund = approved.refund().get();
    Refund refund =
        new Refund(
            attempt.tenant(),
            ids.next("re_"),
            command.payment(),
            pspRefund.amount(),
            command.reason(),
            pspRefund.id(),
            derivedKey,
            clock.millis());
    return new Unrecorded(
        response(refund),
        new BookRefund(refund, charge.capturedAmount()),
        () -> ledger.findRefundByPspId(pspRefund.id()).map(known -> recorded(refund, known)));
  }

  private static OperationResult recorded(Refund refund, Optional<Refund> known) {
    return known
        .filter(it -> it.tenant().equals(refund.tenant()))
        .filter(it -> it.derivedKey().equals(refund.derivedKey()))
        .<OperationResult>map(it -> new Recorded(response(it)))
        .orElseGet(
            () ->
                PspFailures.contradiction(
                    "PSP refund "
                        + refund.pspRefund()
                        + " of "
                        + refund.payment()
                        + " belongs to another request"));
  }

  private static ApiResponse response(Refund refund) {
    return new ApiResponse(
        201,
        Optional.of("/v1/refunds/" + refund.id()),
        OptionalLong.empty(),
        ApiJson.refund(refund));
  }
}
