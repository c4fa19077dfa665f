package dev.latchkey.ledger;

import static dev.latchkey.ledger.LedgerFixtures.payment;
import static dev.latchkey.ledger.LedgerFixtures.refund;
import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.ledger.LedgerEffect.BookCapture;
import dev.latchkey.ledger.PaymentAmendment.Amended;
import dev.latchkey.ledger.PaymentAmendment.NotAtVersion;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the client says about a payment is replaced at one version, or not. */
public interface AmendmentContract extends LedgerContract {

  @Test
  default void amendsAtTheVersionThatWasRead() {
    Payment payment = booked(payment("acme", "pay_1", 100, 60));
    PaymentAmendment amendment = amendment("acme", "pay_1", 1, "new", 5_000);

    PaymentAmendment.Result result = await(books().ledger().amendPayment(amendment));

    assertThat(result).isEqualTo(new Amended(payment.with(amendment)));
    assertThat(read("pay_1")).isEqualTo(payment.with(amendment));
    assertThat(balance("acme")).containsExactly(new Balance("EUR", 60, 0, 1));
  }

  @Test
  default void refusesAnotherVersionTenantOrPayment() {
    Payment payment = booked(payment("acme", "pay_1", 100, 100));

    assertThat(amend("acme", "pay_1", 2, "x")).isEqualTo(new NotAtVersion());
    assertThat(amend("other", "pay_1", 1, "x")).isEqualTo(new NotAtVersion());
    assertThat(amend("acme", "pay_2", 1, "x")).isEqualTo(new NotAtVersion());

    assertThat(read("pay_1")).isEqualTo(payment);
  }

  @Test
  default void textsCanBeTakenBack() {
    booked(payment("acme", "pay_1", 100, 100));
    assertThat(amend("acme", "pay_1", 1, "text")).isInstanceOf(Amended.class);

    await(
        books()
            .ledger()
            .amendPayment(
                new PaymentAmendment("acme", "pay_1", 2, Optional.empty(), Metadata.NONE, 1)));

    assertThat(read("pay_1").details().description()).isEmpty();
    assertThat(read("pay_1").details().metadata()).isEqualTo(Metadata.NONE);
    assertThat(read("pay_1").state().updatedAtEpochMillis()).as("never back").isEqualTo(5_000);
  }

  @Test
  default void aCaptureRenderedBeforeAnAmendmentIsRefusedAndARefundIsNot() {
    Payment open = booked(payment("acme", "pay_1", 100, 0));
    amend("acme", "pay_1", 1, "new");

    assertRefused(new BookCapture("acme", "pay_1", 1, 100, "d", 5));
    assertApplied(refund(open, "re_1", 10));

    assertThat(read("pay_1").details().description()).contains("new");
    assertThat(read("pay_1").version()).isEqualTo(3);
  }

  @Test
  default void ofAnyNumberOfAmendmentsAtOneVersionOneIsTaken() {
    booked(payment("acme", "pay_1", 100, 100));
    for (int round = 1; round <= books().rounds(); round++) {
      int version = round;
      List<PaymentAmendment.Result> results =
          race(contender -> amend("acme", "pay_1", version, version + " by " + contender));

      assertThat(results).filteredOn(it -> it instanceof Amended).hasSize(1);
      Amended won =
          (Amended) results.stream().filter(it -> it instanceof Amended).findFirst().get();
      assertThat(read("pay_1")).isEqualTo(won.payment());
    }
    assertThat(read("pay_1").version()).isEqualTo(books().rounds() + 1);
  }

  private PaymentAmendment.Result amend(String tenant, String id, long version, String text) {
    return await(books().ledger().amendPayment(amendment(tenant, id, version, text, 5_000)));
  }

  private static PaymentAmendment amendment(
      String tenant, String id, long version, String text, long at) {
    return new PaymentAmendment(
        tenant, id, version, Optional.of(text), LedgerFixtures.oddMetadata(), at);
  }
}
