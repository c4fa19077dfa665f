package dev.latchkey.payments;

import dev.latchkey.ledger.LedgerEffect;
import dev.latchkey.ledger.LedgerEffect.BookCancel;
import dev.latchkey.ledger.LedgerEffect.BookCapture;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentState;
import dev.latchkey.ledger.PaymentStatus;
import dev.latchkey.payments.OperationResult.Failed;
import dev.latchkey.payments.OperationResult.Recorded;
import dev.latchkey.payments.OperationResult.Unrecorded;
import dev.latchkey.psp.PspGateway;
import dev.latchkey.psp.PspResult;
import dev.latchkey.psp.PspResult.PspCharge;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Captures and cancels payments, which ends {@code requires_capture}. The response shows the
 * payment, so it is rendered from one version, and the effect carries that version. If the payment
 * has changed in the ledger, the response is rendered again, without another call to the PSP.
 */
final class ClosePayment {

  private final PaymentLookup payments;
  private final PspGateway psp;
  private final InstantSource clock;

  ClosePayment(PaymentLookup payments, PspGateway psp, InstantSource clock) {
    this.payments = payments;
    this.psp = psp;
    this.clock = clock;
  }

  /** A capture or cancel that the PSP approved. */
  private record Closing(String tenant, String payment, String derivedKey, PspCharge charge) {

    boolean isCapture() {
      return charge.capturedAmount() > 0;
    }
  }

  Future<OperationResult> capture(PaymentOperation.Attempt attempt, Command.Capture command) {
    String key = attempt.downstreamKey().apply("capture");
    return close(
        attempt.tenant(),
        command.payment(),
        key,
        charge -> psp.forTenant(attempt.tenant()).capture(key, charge, command.amount()),
        charge -> charge.capturedAmount() > 0 && charge.capturedAmount() <= charge.amount());
  }

  Future<OperationResult> cancel(PaymentOperation.Attempt attempt, Command.Cancel command) {
    String key = attempt.downstreamKey().apply("cancel");
    return close(
        attempt.tenant(),
        command.payment(),
        key,
        charge -> psp.forTenant(attempt.tenant()).cancel(key, charge),
        charge -> charge.capturedAmount() == 0);
  }

  private Future<OperationResult> close(
      String tenant,
      String id,
      String derivedKey,
      Function<String, Future<PspResult>> call,
      Predicate<PspCharge> valid) {
    return payments
        .find(tenant, id)
        .compose(
            found -> {
              if (found.isEmpty()) {
                return Future.succeededFuture(new Failed(PaymentProblems.noSuchPayment()));
              }
              Payment payment = found.get();
              return call.apply(payment.origin().pspCharge())
                  .map(
                      result -> {
                        if (!(result instanceof PspResult.Approved approved)) {
                          return PspFailures.notApproved(result);
                        }
                        PspCharge charge = approved.charge();
                        return valid.test(charge)
                            ? record(payment, new Closing(tenant, id, derivedKey, charge))
                            : PspFailures.contradiction(
                                "charge " + charge.id() + " has invalid amounts");
                      });
            });
  }

  private OperationResult record(Payment payment, Closing closing) {
    if (payment.status() != PaymentStatus.REQUIRES_CAPTURE) {
      return isRecorded(payment, closing)
          ? new Recorded(ApiResponse.ok(payment))
          : PspFailures.contradiction(
              "charge " + closing.charge().id() + " was closed by another request");
    }
    long now = clock.millis();
    PaymentState state = payment.state();
    Payment then;
    LedgerEffect effect;
    if (closing.isCapture()) {
      long amount = closing.charge().capturedAmount();
      then = payment.with(state.captured(amount, Optional.of(closing.derivedKey()), now));
      effect =
          new BookCapture(
              closing.tenant(),
              closing.payment(),
              payment.version(),
              amount,
              closing.derivedKey(),
              now);
    } else {
      then = payment.with(state.canceled(closing.derivedKey(), now));
      effect =
          new BookCancel(
              closing.tenant(), closing.payment(), payment.version(), closing.derivedKey(), now);
    }
    return new Unrecorded(ApiResponse.ok(then), effect, () -> recordLatest(closing));
  }

  private Future<OperationResult> recordLatest(Closing closing) {
    return payments
        .find(closing.tenant(), closing.payment())
        .map(
            found ->
                found
                    .map(payment -> record(payment, closing))
                    .orElseGet(
                        () ->
                            PspFailures.inconsistentLedger(
                                "payment " + closing.payment() + " is gone")));
  }

  /** Whether the ledger has this closing, by its key or through an earlier refund. */
  private static boolean isRecorded(Payment payment, Closing closing) {
    PaymentState state = payment.state();
    boolean sameAmount = state.capturedAmount() == closing.charge().capturedAmount();
    return sameAmount
        && state
            .closingKey()
            .map(key -> key.equals(closing.derivedKey()))
            .orElse(closing.isCapture());
  }
}
