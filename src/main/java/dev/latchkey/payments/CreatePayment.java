package dev.latchkey.payments;

import dev.latchkey.ledger.Ledger;
import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentDetails;
import dev.latchkey.ledger.PaymentOrigin;
import dev.latchkey.ledger.PaymentState;
import dev.latchkey.payments.OperationResult.Recorded;
import dev.latchkey.payments.OperationResult.Unrecorded;
import dev.latchkey.psp.PspGateway;
import dev.latchkey.psp.PspResult;
import dev.latchkey.psp.PspResult.PspCharge;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Charges and records a payment. It does not look the charge up in the ledger first: the charge is
 * almost never there, and the ledger refuses it if it is.
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
  public Future<OperationResult> run(Attempt attempt, Command.Create command) {
    String derivedKey = attempt.downstreamKey().apply("charge");
    PaymentDetails details = command.details();
    return psp.forTenant(attempt.tenant())
        .charge(
            derivedKey,
            details.amount(),
            details.currency(),
            details.paymentMethod(),
            command.capture())
        .map(
            result ->
                result instanceof PspResult.Approved approved
                    ? record(attempt, derivedKey, details, approved.charge())
                    : PspFailures.notApproved(result));
  }

  private OperationResult record(
      Attempt attempt, String derivedKey, PaymentDetails details, PspCharge charge) {
    if (charge.amount() != details.amount()
        || !charge.currency().equals(details.currency())
        || charge.capturedAmount() < 0
        || charge.capturedAmount() > charge.amount()) {
      return PspFailures.contradiction("charge " + charge.id() + " is not the requested charge");
    }
    long now = clock.millis();
    Payment payment =
        new Payment(
            ids.next("pay_"),
            new PaymentOrigin(
                attempt.tenant(), attempt.idempotencyKey(), derivedKey, charge.id(), now),
            details,
            PaymentState.first(charge.capturedAmount(), now));
    return new Unrecorded(
        response(payment),
        new InsertPayment(payment),
        () ->
            ledger
                .findPaymentByCharge(charge.id())
                .map(known -> recorded(attempt, derivedKey, charge.id(), known)));
  }

  private static OperationResult recorded(
      Attempt attempt, String derivedKey, String charge, Optional<Payment> known) {
    return known
        .filter(it -> it.tenant().equals(attempt.tenant()))
        .filter(it -> it.origin().derivedKey().equals(derivedKey))
        .<OperationResult>map(it -> new Recorded(response(it)))
        .orElseGet(
            () -> PspFailures.contradiction("charge " + charge + " belongs to another request"));
  }

  private static ApiResponse response(Payment payment) {
    return new ApiResponse(
        201,
        Optional.of("/v1/payments/" + payment.id()),
        OptionalLong.of(payment.version()),
        ApiJson.payment(payment));
  }
}
