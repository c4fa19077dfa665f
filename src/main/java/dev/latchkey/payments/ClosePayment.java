package dev.latchkey.payments;

import dev.latchkey.ledger.LedgerEffect;
import dev.latchkey.ledger.LedgerEffect.BookCancel;
import dev.latchkey.ledger.LedgerEffect.BookCapture;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentState;
import dev.latchkey.ledger.PaymentStatus;
import dev.latchkey.payments.Conclusion.Booked;
import dev.latchkey.payments.Conclusion.Done;
import dev.latchkey.payments.Conclusion.Failed;
import dev.latchkey.payments.Conclusion.Reply;
import dev.latchkey.psp.PspGateway;
import dev.latchkey.psp.PspResult;
import dev.latchkey.psp.PspResult.PspCharge;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;

/**
 * Captures and cancels: what ends {@code requires_capture}, once. The answer shows the payment, so
 * it is rendered from one version and booked against it; when the books have moved on it is
 * rendered again, and the PSP, which has said yes, is not asked again.
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

  /** What the PSP has agreed to. */
  private record Closing(String tenant, String payment, String derivedKey, PspCharge charge) {

    boolean isCapture() {
      return charge.capturedAmount() > 0;
    }
  }

  Future<Conclusion> capture(CallContext attempt, Command.Capture command) {
    String key = attempt.downstreamKey().apply("capture");
    return close(
        attempt.tenant(),
        command.payment(),
        key,
        charge -> psp.capture(key, charge, command.amount()),
        charge -> charge.capturedAmount() > 0 && charge.capturedAmount() <= charge.amount());
  }

  Future<Conclusion> cancel(CallContext attempt, Command.Cancel command) {
    String key = attempt.downstreamKey().apply("cancel");
    return close(
        attempt.tenant(),
        command.payment(),
        key,
        charge -> psp.cancel(key, charge),
        charge -> charge.capturedAmount() == 0);
  }

  private Future<Conclusion> close(
      String tenant,
      String id,
      String derivedKey,
      Function<String, Future<PspResult>> ask,
      Function<PspCharge, Boolean> sound) {
    return payments
        .find(tenant, id)
        .compose(
            found -> {
              if (found.isEmpty()) {
                return Future.succeededFuture(new Failed(PaymentProblems.noSuchPayment()));
              }
              Payment payment = found.get();
              return ask.apply(payment.origin().pspCharge())
                  .map(
                      result -> {
                        if (!(result instanceof PspResult.Approved approved)) {
                          return PspAnswers.notApproved(result);
                        }
                        PspCharge charge = approved.charge();
                        return sound.apply(charge)
                            ? book(payment, new Closing(tenant, id, derivedKey, charge))
                            : PspAnswers.contradicted("charge " + charge.id() + " has odd sums");
                      });
            });
  }

  private Conclusion book(Payment payment, Closing closing) {
    if (payment.status() != PaymentStatus.REQUIRES_CAPTURE) {
      return isInTheBooks(payment, closing)
          ? new Done(reply(payment))
          : PspAnswers.contradicted(
              "the PSP closed charge " + closing.charge().id() + " otherwise than the books");
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
    return new Booked(reply(then), effect, () -> bookAnew(closing));
  }

  private Future<Conclusion> bookAnew(Closing closing) {
    return payments
        .find(closing.tenant(), closing.payment())
        .map(
            found ->
                found
                    .map(payment -> book(payment, closing))
                    .orElseGet(
                        () -> PspAnswers.broken("payment " + closing.payment() + " is gone")));
  }

  /** Whether the books know of this very closing, by its key or through a refund that overtook. */
  private static boolean isInTheBooks(Payment payment, Closing closing) {
    PaymentState state = payment.state();
    boolean sameSum = state.capturedAmount() == closing.charge().capturedAmount();
    return sameSum
        && state
            .closingKey()
            .map(key -> key.equals(closing.derivedKey()))
            .orElse(closing.isCapture());
  }

  private static Reply reply(Payment payment) {
    return Reply.of(200, Optional.empty(), payment);
  }
}
