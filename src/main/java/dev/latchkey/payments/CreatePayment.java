package dev.latchkey.payments;

import dev.latchkey.ledger.Ledger;
import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentDetails;
import dev.latchkey.ledger.PaymentOrigin;
import dev.latchkey.ledger.PaymentState;
import dev.latchkey.payments.Conclusion.Booked;
import dev.latchkey.payments.Conclusion.Done;
import dev.latchkey.payments.Conclusion.Reply;
import dev.latchkey.psp.PspGateway;
import dev.latchkey.psp.PspResult;
import dev.latchkey.psp.PspResult.PspCharge;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Charges and books a payment. The charge is booked without asking first whether it is in the
 * books: it almost never is, and they refuse it by themselves when it is.
 */
final class CreatePayment implements PaymentOperation<Command.Create> {

  private final Ledger ledger;
  private final PspGateway psp;
  private final InstantSource clock;
  private final IdSource ids;

  CreatePayment(Ledger ledger, PspGateway psp, InstantSource clock, IdSource ids) {
    this.ledger = ledger;
    this.psp = psp;
    this.clock = clock;
    this.ids = ids;
  }

  @Override
  public Future<Conclusion> run(CallContext attempt, Command.Create command) {
    String derivedKey = attempt.downstreamKey().apply("charge");
    PaymentDetails details = command.details();
    return psp.charge(
            derivedKey,
            details.amount(),
            details.currency(),
            details.paymentMethod(),
            command.capture())
        .map(
            result ->
                result instanceof PspResult.Approved approved
                    ? book(attempt, derivedKey, details, approved.charge())
                    : PspAnswers.notApproved(result));
  }

  private Conclusion book(
      CallContext attempt, String derivedKey, PaymentDetails details, PspCharge charge) {
    if (charge.amount() != details.amount()
        || !charge.currency().equals(details.currency())
        || charge.capturedAmount() < 0
        || charge.capturedAmount() > charge.amount()) {
      return PspAnswers.contradicted(
          "charge " + charge.id() + " is not what the PSP was asked for");
    }
    long now = clock.millis();
    Payment payment =
        new Payment(
            ids.next("pay_"),
            new PaymentOrigin(
                attempt.tenant(), attempt.idempotencyKey(), derivedKey, charge.id(), now),
            details,
            PaymentState.first(charge.capturedAmount(), now));
    return new Booked(
        reply(payment),
        new InsertPayment(payment),
        () ->
            ledger
                .findPaymentByCharge(charge.id())
                .map(known -> inTheBooks(attempt, derivedKey, charge.id(), known)));
  }

  private static Conclusion inTheBooks(
      CallContext attempt, String derivedKey, String charge, Optional<Payment> known) {
    return known
        .filter(it -> it.tenant().equals(attempt.tenant()))
        .filter(it -> it.origin().derivedKey().equals(derivedKey))
        .<Conclusion>map(it -> new Done(reply(it)))
        .orElseGet(
            () -> PspAnswers.contradicted("charge " + charge + " belongs to another request"));
  }

  private static Reply reply(Payment payment) {
    return Reply.of(201, Optional.of("/v1/payments/" + payment.id()), payment);
  }
}
