package dev.latchkey.ledger;

import static dev.latchkey.ledger.LedgerFixtures.payment;
import static dev.latchkey.ledger.LedgerFixtures.refund;
import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.ledger.LedgerEffect.BookCancel;
import dev.latchkey.ledger.LedgerEffect.BookCapture;
import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Effects that contend for one charge or one payment. */
public interface BookingRaceContract extends LedgerContract {

  @Test
  default void onePaymentPerChargeHoweverManyInsertIt() {
    for (int round = 0; round < books().rounds(); round++) {
      String charge = "ch_shared_" + round;
      String prefix = "pay_" + round + "_";
      long applied =
          appliedOf(
              contender -> {
                Payment own = payment("acme", prefix + contender, 10, 10);
                PaymentOrigin origin = new PaymentOrigin("acme", "k", "d", charge, 1);
                return new InsertPayment(new Payment(own.id(), origin, own.details(), own.state()));
              });
      assertThat(applied).isEqualTo(1);
    }
    assertThat(balance("acme").get(0).payments()).isEqualTo(books().rounds());
  }

  @Test
  default void refundsNeverExceedTheCapture() {
    for (int round = 0; round < books().rounds(); round++) {
      Payment payment = booked(payment("acme", "pay_" + round, 50, 50));
      String prefix = "re_" + round + "_";

      long applied = appliedOf(contender -> refund(payment, prefix + contender, 10));

      assertThat(applied).isEqualTo(5);
      assertThat(read(payment.id()).version()).isEqualTo(6);
    }
    assertThat(balance("acme").get(0).net()).isZero();
  }

  @Test
  default void refundsRacingForAnUnbookedCaptureBookItOnce() {
    for (int round = 0; round < books().rounds(); round++) {
      Payment payment = booked(payment("acme", "pay_" + round, 50, 0));
      String prefix = "re_" + round + "_";

      assertThat(appliedOf(contender -> refund(payment, prefix + contender, 10))).isEqualTo(5);
    }
    long captured = 50L * books().rounds();
    assertThat(balance("acme"))
        .containsExactly(new Balance("EUR", captured, captured, books().rounds()));
  }

  @Test
  default void captureAndCancelExcludeEachOther() {
    for (int round = 0; round < books().rounds(); round++) {
      String id = "pay_" + round;
      booked(payment("acme", id, 50, 0));

      long applied =
          appliedOf(
              contender ->
                  contender % 2 == 0
                      ? new BookCapture("acme", id, 1, 50, "d" + contender, 2)
                      : new BookCancel("acme", id, 1, "d" + contender, 2));

      assertThat(applied).isEqualTo(1);
    }
  }

  @Test
  default void aReaderSeesAllOfACommitOrNothing() {
    int commits = 10 * books().rounds();
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < commits; i++) {
                assertApplied(
                    new InsertPayment(payment("acme", "pay_a" + i, 10, 10)),
                    new InsertPayment(payment("acme", "pay_b" + i, 10, 10)));
              }
            });
    do {
      assertThat(balance("acme").stream().mapToLong(Balance::payments).sum() % 2).isZero();
      List<Payment> newest =
          await(books().ledger().listPayments(LedgerFixtures.all("acme", 1))).orElseThrow().data();
      assertThat(newest).allSatisfy(it -> assertThat(it.id()).startsWith("pay_b"));
    } while (!writer.isDone());
    writer.join();
    assertThat(balance("acme").get(0).payments()).isEqualTo(2L * commits);
  }
}
