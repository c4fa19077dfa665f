package dev.latchkey.payments;

import dev.latchkey.ledger.Ledger;
import dev.latchkey.ledger.Metadata;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentAmendment;
import dev.latchkey.ledger.Precondition;
import dev.latchkey.payments.Conclusion.Done;
import dev.latchkey.payments.Conclusion.Failed;
import dev.latchkey.payments.Conclusion.Reply;
import dev.latchkey.web.Problem;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Changes what the client says about a payment. The merge is done here, so that a ledger has but to
 * compare a version; when something else moved the payment on meanwhile, the precondition decides
 * again.
 */
final class AmendPayment {

  /** How often one request reads and writes while others change the payment. */
  static final int MAX_TRIES = 16;

  private final Ledger ledger;
  private final PaymentLookup payments;
  private final InstantSource clock;

  AmendPayment(Ledger ledger, PaymentLookup payments, InstantSource clock) {
    this.ledger = ledger;
    this.payments = payments;
    this.clock = clock;
  }

  /**
   * Changes a payment.
   *
   * @param tenant whose
   * @param amend what to change
   * @param condition must name {@code ifMatch}
   * @return what it came to, never {@link Conclusion.Booked}; fails when the ledger does
   */
  Future<Conclusion> run(String tenant, Command.Amend amend, Precondition condition) {
    return tryOnce(tenant, amend, condition, MAX_TRIES);
  }

  private Future<Conclusion> tryOnce(
      String tenant, Command.Amend amend, Precondition condition, int tries) {
    return payments
        .find(tenant, amend.payment())
        .compose(
            found -> {
              if (found.isEmpty()) {
                return failed(PaymentProblems.noSuchPayment());
              }
              Payment payment = found.get();
              if (condition.ifMatch().isEmpty()) {
                return failed(PaymentProblems.preconditionRequired());
              }
              if (!condition.holds(OptionalLong.of(payment.version()))) {
                return failed(PaymentProblems.preconditionFailed());
              }
              Metadata metadata = amend.metadata().over(payment.details().metadata());
              if (metadata.members().size() > Metadata.MAX_MEMBERS) {
                return failed(tooManyMembers(metadata.members().size()));
              }
              return ledger
                  .amendPayment(amendment(tenant, amend, payment, metadata))
                  .compose(result -> answer(result, tenant, amend, condition, tries - 1));
            });
  }

  private Future<Conclusion> answer(
      PaymentAmendment.Result result,
      String tenant,
      Command.Amend amend,
      Precondition condition,
      int triesLeft) {
    if (result instanceof PaymentAmendment.Amended amended) {
      return Future.succeededFuture(new Done(Reply.of(200, Optional.empty(), amended.payment())));
    }
    if (result instanceof PaymentAmendment.Full) {
      return failed(PaymentProblems.overloaded("There is no room for more."));
    }
    return triesLeft > 0
        ? tryOnce(tenant, amend, condition, triesLeft)
        : failed(PaymentProblems.overloaded("Too many others change this payment just now."));
  }

  private PaymentAmendment amendment(
      String tenant, Command.Amend amend, Payment payment, Metadata metadata) {
    return new PaymentAmendment(
        tenant,
        payment.id(),
        payment.version(),
        amend.description().over(payment.details().description()),
        metadata,
        clock.millis());
  }

  private static Problem tooManyMembers(int members) {
    return PaymentProblems.invalidRequest(
        List.of(
            new FieldError(
                "/metadata",
                "the payment would have %d members then, allowed are %d"
                    .formatted(members, Metadata.MAX_MEMBERS))));
  }

  private static Future<Conclusion> failed(Problem problem) {
    return Future.succeededFuture(new Failed(problem));
  }
}
