package dev.latchkey.payments;

import dev.latchkey.ledger.Ledger;
import dev.latchkey.ledger.Metadata;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentAmendment;
import dev.latchkey.ledger.Precondition;
import dev.latchkey.payments.OperationResult.Failed;
import dev.latchkey.payments.OperationResult.Recorded;
import dev.latchkey.web.KeyScope;
import dev.latchkey.web.Problem;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;

/**
 * {@code PATCH /v1/payments/:id}: a merge patch (RFC 7396) of the client's texts under {@code
 * If-Match}. The merge happens here, and the ledger compares the version. If the payment changed in
 * the meantime, the precondition is checked against the new version.
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

  void handle(RoutingContext ctx, KeyScope scope) {
    Precondition condition = EntityTags.precondition(ctx.request().headers());
    Command.Amend command = RequestValidation.command(ctx, Command.Amend.class);
    ContextCallback.onSuccess(
        ctx,
        run(scope.tenant(ctx), command, condition),
        result -> {
          if (result instanceof Recorded recorded) {
            recorded.response().send(ctx);
          } else if (result instanceof Failed failed) {
            failed.problem().send(ctx);
          }
        });
  }

  /**
   * Changes a payment.
   *
   * @param tenant the caller
   * @param amend the change
   * @param condition must contain {@code ifMatch}
   * @return {@link Recorded} or {@link Failed}; fails if the ledger does
   */
  Future<OperationResult> run(String tenant, Command.Amend amend, Precondition condition) {
    return tryOnce(tenant, amend, condition, MAX_TRIES);
  }

  private Future<OperationResult> tryOnce(
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
              Metadata metadata = amend.metadata().applyTo(payment.details().metadata());
              if (metadata.members().size() > Metadata.MAX_MEMBERS) {
                return failed(tooManyMembers(metadata.members().size()));
              }
              return ledger
                  .amendPayment(amendment(tenant, amend, payment, metadata))
                  .compose(result -> result(result, tenant, amend, condition, tries - 1));
            });
  }

  private Future<OperationResult> result(
      PaymentAmendment.Result result,
      String tenant,
      Command.Amend amend,
      Precondition condition,
      int triesLeft) {
    if (result instanceof PaymentAmendment.Amended amended) {
      return Future.succeededFuture(new Recorded(ApiResponse.ok(amended.payment())));
    }
    if (result instanceof PaymentAmendment.Full) {
      return failed(PaymentProblems.overloaded("The ledger is full."));
    }
    return triesLeft > 0
        ? tryOnce(tenant, amend, condition, triesLeft)
        : failed(PaymentProblems.overloaded("Too many requests change this payment."));
  }

  private PaymentAmendment amendment(
      String tenant, Command.Amend amend, Payment payment, Metadata metadata) {
    return new PaymentAmendment(
        tenant,
        payment.id(),
        payment.version(),
        amend.description().applyTo(payment.details().description()),
        metadata,
        clock.millis());
  }

  private static Problem tooManyMembers(int members) {
    return PaymentProblems.invalidRequest(
        List.of(
            new FieldError(
                "/metadata",
                "the payment would have %d members; %d are allowed"
                    .formatted(members, Metadata.MAX_MEMBERS))));
  }

  private static Future<OperationResult> failed(Problem problem) {
    return Future.succeededFuture(new Failed(problem));
  }
}
