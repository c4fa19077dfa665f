package dev.latchkey.ledger;

import static dev.latchkey.ledger.LedgerFixtures.payment;
import static dev.latchkey.ledger.LedgerFixtures.refund;
import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.ledger.LedgerEffect.BookCancel;
import dev.latchkey.ledger.LedgerEffect.BookCapture;
import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What effects do to the books, and which of them are refused. */
public interface BookingContract extends LedgerContract {

  @Test
  default void aPaymentIsFoundAsItWasBooked() {
    Payment payment =
        payment("acme", "pay_1", 99_999_999_999L, 0, Optional.of("Zoë 客 \" ' \\ \n"), "a key");
    Payment told =
        new Payment(
            payment.id(),
            payment.origin(),
            payment.details().with(Optional.of("é 😀"), LedgerFixtures.oddMetadata()),
            payment.state());

    booked(told);

    assertThat(read("pay_1")).isEqualTo(told);
    assertThat(read("pay_1").details().metadata().members().keySet())
        .as("in the order they came")
        .containsExactlyElementsOf(told.details().metadata().members().keySet());
    assertThat(await(books().ledger().findPaymentByCharge("ch_pay_1"))).contains(told);
    assertThat(await(books().ledger().findPaymentByCharge("ch_2"))).isEmpty();
    assertThat(await(books().ledger().findPayment("acme", "pay_2"))).isEmpty();
  }

  @Test
  default void twoRefundsInOneApplyBothCount() {
    Payment payment = booked(payment("acme", "pay_1", 100, 100));

    assertApplied(refund(payment, "re_1", 30), refund(payment, "re_2", 20));

    assertThat(read("pay_1").state().refundedAmount()).isEqualTo(50);
    assertThat(read("pay_1").status()).isEqualTo(PaymentStatus.PARTIALLY_REFUNDED);
    assertThat(read("pay_1").version()).isEqualTo(3);
  }

  @Test
  default void nothingIsWrittenWhenOneOfSeveralEffectsIsRefused() {
    Payment payment = booked(payment("acme", "pay_1", 100, 100));

    String which =
        assertRefused(
                new InsertPayment(payment("acme", "pay_2", 10, 10)),
                refund(payment, "re_1", 60),
                refund(payment, "re_2", 41))
            .which();

    assertThat(which).isEqualTo("book-refund");
    assertThat(read("pay_1")).isEqualTo(payment);
    assertThat(await(books().ledger().findPayment("acme", "pay_2"))).isEmpty();
    assertThat(await(books().ledger().findRefundByPspId("psp_re_1"))).isEmpty();
    assertThat(balance("acme")).containsExactly(new Balance("EUR", 100, 0, 1));
  }

  @Test
  default void refundsUpToTheCapturedAmountAndNotOneMore() {
    Payment payment = booked(payment("acme", "pay_1", 100, 60));

    assertRefused(refund(payment, "re_1", 61));
    assertApplied(refund(payment, "re_2", 60));
    assertRefused(refund(payment, "re_3", 1));

    assertThat(read("pay_1").status()).isEqualTo(PaymentStatus.REFUNDED);
  }

  @Test
  default void aChargeBelongsToOnePaymentOverAllTenants() {
    Payment payment = booked(payment("acme", "pay_1", 100, 100));
    PaymentOrigin origin =
        new PaymentOrigin("other", "k", "d", payment.origin().pspCharge(), 1_000);

    assertRefused(
        new InsertPayment(new Payment("pay_2", origin, payment.details(), payment.state())));
    assertRefused(new InsertPayment(payment("acme", "pay_1", 7, 7)));

    assertThat(await(books().ledger().findPaymentByCharge("ch_pay_1"))).contains(payment);
    assertThat(balance("acme")).containsExactly(new Balance("EUR", 100, 0, 1));
  }

  @Test
  default void aChargeCannotComeTwiceInOneApply() {
    Payment first = payment("acme", "pay_1", 100, 100);
    Payment second = new Payment("pay_2", first.origin(), first.details(), first.state());

    assertRefused(new InsertPayment(first), new InsertPayment(second));
    assertThat(await(books().ledger().findPayment("acme", "pay_1"))).isEmpty();
  }

  @Test
  default void aRefundIsBookedOnceAndFoundAsItWasBooked() {
    Payment payment = booked(payment("acme", "pay_1", 100, 100));
    LedgerEffect.BookRefund first = refund(payment, "re_1", 10);

    assertApplied(first);
    assertRefused(first);
    Refund again =
        new Refund("acme", "re_2", "pay_1", 10, Optional.of("no"), "psp_re_1", "d", 2_000);
    assertRefused(new LedgerEffect.BookRefund(again, 100));

    assertThat(read("pay_1").state().refundedAmount()).isEqualTo(10);
    assertThat(await(books().ledger().findRefundByPspId("psp_re_1"))).contains(first.refund());
  }

  @Test
  default void captureAndCancelNeedTheVersionTheyWereRenderedFrom() {
    booked(payment("acme", "pay_1", 100, 0));

    assertRefused(new BookCapture("acme", "pay_1", 2, 100, "d", 5));
    assertRefused(new BookCancel("acme", "pay_1", 2, "d", 5));
    assertRefused(new BookCapture("acme", "pay_1", 1, 101, "d", 5));
    assertApplied(new BookCapture("acme", "pay_1", 1, 40, "d", 5));
    assertRefused(new BookCancel("acme", "pay_1", 2, "d", 5));

    Payment payment = read("pay_1");
    assertThat(payment.status()).isEqualTo(PaymentStatus.SUCCEEDED);
    assertThat(payment.state().capturedAmount()).isEqualTo(40);
    assertThat(payment.state().closingKey()).contains("d");
    assertThat(payment.state().updatedAtEpochMillis()).as("never goes back").isEqualTo(1_000);
    assertThat(payment.version()).isEqualTo(2);
  }

  @Test
  default void aRefundOvertakingTheBookingOfItsCaptureBooksBoth() {
    Payment payment = booked(payment("acme", "pay_1", 100, 0));

    assertApplied(refund(payment, "re_1", 30));

    Payment then = read("pay_1");
    assertThat(then.state().capturedAmount()).isEqualTo(100);
    assertThat(then.state().refundedAmount()).isEqualTo(30);
    assertThat(then.state().closingKey()).isEmpty();
    assertThat(then.state().updatedAtEpochMillis()).isEqualTo(2_000);
    assertThat(then.version()).as("one write, one version").isEqualTo(2);
    assertThat(balance("acme")).containsExactly(new Balance("EUR", 100, 30, 1));
  }

  @Test
  default void aCaptureThatIsOvertakenCannotExceedWhatWasAuthorised() {
    Payment payment = booked(payment("acme", "pay_1", 100, 0));
    Refund refund = refund(payment, "re_1", 30).refund();

    assertRefused(new LedgerEffect.BookRefund(refund, 101));
    assertRefused(new LedgerEffect.BookRefund(refund, 29));
    assertRefused(new LedgerEffect.BookRefund(refund, 0));

    assertThat(read("pay_1")).isEqualTo(payment);
  }

  @Test
  default void aCanceledPaymentTakesNoRefund() {
    Payment payment = booked(payment("acme", "pay_1", 100, 0));
    assertApplied(new BookCancel("acme", "pay_1", 1, "d", 5_000));

    assertRefused(refund(payment, "re_1", 1));
    assertThat(read("pay_1")).isEqualTo(payment.with(payment.state().canceled("d", 5_000)));
    assertThat(balance("acme")).as("no money was captured").isEmpty();
  }

  @Test
  default void aTenantReachesItsOwnPaymentsOnly() {
    Payment payment = booked(payment("acme", "pay_1", 100, 0));

    assertThat(await(books().ledger().findPayment("other", "pay_1"))).isEmpty();
    assertRefused(new BookCapture("other", "pay_1", 1, 100, "d", 5));
    assertRefused(new BookCancel("other", "pay_1", 1, "d", 5));
    Payment stolen =
        new Payment(
            payment.id(),
            new PaymentOrigin("other", "k", "d", "ch_x", 1),
            payment.details(),
            payment.state());
    assertRefused(refund(stolen, "re_1", 1));
    assertThat(balance("other")).isEmpty();
  }

  @Test
  default void balanceCountsCapturedMoneyByCurrency() {
    booked(payment("acme", "pay_1", 100, 100));
    Payment second = booked(payment("acme", "pay_2", 50, 50));
    booked(payment("acme", "pay_3", 70, 0));
    booked(LedgerFixtures.in("CHF", payment("acme", "pay_4", 9, 9)));
    assertApplied(refund(second, "re_1", 50));
    assertApplied(new BookCapture("acme", "pay_3", 1, 7, "d", 5));

    assertThat(balance("acme"))
        .containsExactly(new Balance("CHF", 9, 0, 1), new Balance("EUR", 157, 50, 3));
    assertThat(balance("acme").get(1).net()).isEqualTo(107);
  }
}
