package dev.latchkey.ledger.memory;

import static dev.latchkey.ledger.LedgerFixtures.payment;
import static dev.latchkey.ledger.LedgerFixtures.refund;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.idempotency.spi.CompleteResult.EffectRefused;
import dev.latchkey.idempotency.spi.Effect;
import dev.latchkey.ledger.Balance;
import dev.latchkey.ledger.LedgerEffect.BookCancel;
import dev.latchkey.ledger.LedgerEffect.BookCapture;
import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentOrigin;
import dev.latchkey.ledger.PaymentStatus;
import dev.latchkey.store.memory.MemoryBudget;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MemoryLedgerTest {

  private final MemoryBudget budget = new MemoryBudget(1 << 30);
  private final MemoryLedger ledger = new MemoryLedger(budget);

  @Test
  void twoRefundsInOneApplyBothCount() {
    Payment payment = booked(payment("acme", "pay_1", 100, 100));

    assertApplied(refund(payment, "re_1", 30), refund(payment, "re_2", 20));

    assertThat(read("acme", "pay_1").state().refundedAmount()).isEqualTo(50);
    assertThat(read("acme", "pay_1").status()).isEqualTo(PaymentStatus.PARTIALLY_REFUNDED);
    assertThat(read("acme", "pay_1").version()).isEqualTo(3);
  }

  @Test
  void nothingIsWrittenWhenOneOfSeveralEffectsIsRefused() {
    Payment payment = booked(payment("acme", "pay_1", 100, 100));
    long before = budget.usedBytes();

    Optional<EffectRefused> refused =
        apply(
            new InsertPayment(payment("acme", "pay_2", 10, 10)),
            refund(payment, "re_1", 60),
            refund(payment, "re_2", 41));

    assertThat(refused).map(EffectRefused::which).contains("book-refund");
    assertThat(refused).map(EffectRefused::detail).get().asString().contains("41");
    assertThat(read("acme", "pay_1")).isEqualTo(payment);
    assertThat(ledger.findPayment("acme", "pay_2").result()).isEmpty();
    assertThat(ledger.findRefundByPspId("psp_re_1").result()).isEmpty();
    assertThat(ledger.balance("acme").result()).containsExactly(new Balance("EUR", 100, 0, 1));
    assertThat(budget.usedBytes()).isEqualTo(before);
  }

  @Test
  void refundsUpToTheCapturedAmountAndNotOneMore() {
    Payment payment = booked(payment("acme", "pay_1", 100, 60));

    assertRefused(refund(payment, "re_1", 61));
    assertApplied(refund(payment, "re_2", 60));
    assertRefused(refund(payment, "re_3", 1));

    assertThat(read("acme", "pay_1").status()).isEqualTo(PaymentStatus.REFUNDED);
  }

  @Test
  void aChargeBelongsToOnePaymentOverAllTenants() {
    Payment payment = booked(payment("acme", "pay_1", 100, 100));
    PaymentOrigin origin =
        new PaymentOrigin("other", "k", "d", payment.origin().pspCharge(), 1_000);

    assertRefused(
        new InsertPayment(new Payment("pay_2", origin, payment.details(), payment.state())));
    assertThat(ledger.findPaymentByCharge("ch_pay_1").result()).contains(payment);
  }

  @Test
  void aChargeCannotComeTwiceInOneApply() {
    Payment first = payment("acme", "pay_1", 100, 100);
    Payment second = new Payment("pay_2", first.origin(), first.details(), first.state());

    assertRefused(new InsertPayment(first), new InsertPayment(second));
    assertThat(ledger.findPayment("acme", "pay_1").result()).isEmpty();
  }

  @Test
  void aRefundOfThePspIsBookedOnce() {
    Payment payment = booked(payment("acme", "pay_1", 100, 100));

    assertApplied(refund(payment, "re_1", 10));
    assertRefused(refund(payment, "re_1", 10));
    assertThat(read("acme", "pay_1").state().refundedAmount()).isEqualTo(10);
    assertThat(ledger.findRefundByPspId("psp_re_1").result()).isPresent();
  }

  @Test
  void captureAndCancelNeedTheVersionTheyWereRenderedFrom() {
    booked(payment("acme", "pay_1", 100, 0));

    assertRefused(new BookCapture("acme", "pay_1", 2, 100, "d", 5));
    assertRefused(new BookCancel("acme", "pay_1", 2, "d", 5));
    assertRefused(new BookCapture("acme", "pay_1", 1, 101, "d", 5));
    assertApplied(new BookCapture("acme", "pay_1", 1, 40, "d", 5));
    assertRefused(new BookCancel("acme", "pay_1", 2, "d", 5));

    Payment payment = read("acme", "pay_1");
    assertThat(payment.status()).isEqualTo(PaymentStatus.SUCCEEDED);
    assertThat(payment.state().capturedAmount()).isEqualTo(40);
    assertThat(payment.state().closingKey()).contains("d");
    assertThat(payment.state().updatedAtEpochMillis()).as("never goes back").isEqualTo(1_000);
    assertThat(payment.version()).isEqualTo(2);
  }

  @Test
  void aRefundOvertakingTheBookingOfItsCaptureBooksBoth() {
    Payment payment = booked(payment("acme", "pay_1", 100, 0));

    assertApplied(refund(payment, "re_1", 30));

    Payment then = read("acme", "pay_1");
    assertThat(then.state().capturedAmount()).isEqualTo(100);
    assertThat(then.state().refundedAmount()).isEqualTo(30);
    assertThat(then.state().closingKey()).isEmpty();
    assertThat(then.version()).as("one write, one version").isEqualTo(2);
    assertThat(ledger.balance("acme").result()).containsExactly(new Balance("EUR", 100, 30, 1));
  }

  @Test
  void aCanceledPaymentTakesNoRefund() {
    Payment payment = booked(payment("acme", "pay_1", 100, 0));
    assertApplied(new BookCancel("acme", "pay_1", 1, "d", 5));

    assertRefused(refund(payment, "re_1", 1));
    assertThat(ledger.balance("acme").result()).as("no money was captured").isEmpty();
  }

  @Test
  void aTenantReachesItsOwnPaymentsOnly() {
    Payment payment = booked(payment("acme", "pay_1", 100, 0));

    assertThat(ledger.findPayment("other", "pay_1").result()).isEmpty();
    assertRefused(new BookCapture("other", "pay_1", 1, 100, "d", 5));
    assertRefused(new BookCancel("other", "pay_1", 1, "d", 5));
    Payment stolen =
        new Payment(
            payment.id(),
            new PaymentOrigin("other", "k", "d", "ch_x", 1),
            payment.details(),
            payment.state());
    assertRefused(refund(stolen, "re_1", 1));
    assertThat(ledger.balance("other").result()).isEmpty();
  }

  @Test
  void anEffectOfSomebodyElseIsRefused() {
    Effect foreign = () -> "foreign";

    assertThat(ledger.apply(List.of(foreign))).map(EffectRefused::which).contains("foreign");
  }

  @Test
  void balanceCountsCapturedMoneyByCurrency() {
    booked(payment("acme", "pay_1", 100, 100));
    Payment second = booked(payment("acme", "pay_2", 50, 50));
    booked(payment("acme", "pay_3", 70, 0));
    assertApplied(refund(second, "re_1", 50));
    assertApplied(new BookCapture("acme", "pay_3", 1, 7, "d", 5));

    Balance balance = ledger.balance("acme").result().get(0);
    assertThat(balance).isEqualTo(new Balance("EUR", 157, 50, 3));
    assertThat(balance.net()).isEqualTo(107);
  }

  @Test
  void theBudgetIsToldWhatIsKept() {
    long start = budget.usedBytes();
    Payment payment = booked(payment("acme", "pay_1", 100, 100));
    long afterPayment = budget.usedBytes();
    assertApplied(refund(payment, "re_1", 10));

    assertThat(afterPayment - start).isGreaterThan(500);
    assertThat(budget.usedBytes() - afterPayment).isGreaterThan(200);
  }

  private Payment booked(Payment payment) {
    assertApplied(new InsertPayment(payment));
    return payment;
  }

  private Payment read(String tenant, String id) {
    return ledger.findPayment(tenant, id).result().orElseThrow();
  }

  private Optional<EffectRefused> apply(Effect... effects) {
    return ledger.apply(List.of(effects));
  }

  private void assertApplied(Effect... effects) {
    assertThat(apply(effects)).isEmpty();
  }

  private void assertRefused(Effect... effects) {
    assertThat(apply(effects)).isPresent();
  }
}
