package dev.latchkey.ledger.memory;

import static dev.latchkey.ledger.LedgerFixtures.payment;
import static dev.latchkey.ledger.LedgerFixtures.refund;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.ledger.CustomerPut;
import dev.latchkey.ledger.CustomerPut.Full;
import dev.latchkey.ledger.CustomerPut.Stored;
import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.Precondition;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.testing.Collisions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Behaviour beyond the ledger contract: the bound in bytes and the reasons of refusals. */
class MemoryLedgerTest {

  private final MemoryBudget budget = new MemoryBudget(1 << 30);
  private final MemoryLedger ledger = new MemoryLedger(budget);

  @Test
  void refusalHasAReason() {
    Payment payment = booked(payment("acme", "pay_1", 100, 100));

    assertThat(ledger.apply(List.of(refund(payment, "re_1", 60), refund(payment, "re_2", 41))))
        .map(EffectRefused::detail)
        .get()
        .asString()
        .contains("41");
  }

  @Test
  void effectOfAnotherLedgerIsRefused() {
    Effect foreign = () -> "foreign";

    assertThat(ledger.apply(List.of(foreign))).map(EffectRefused::which).contains("foreign");
  }

  @Test
  void budgetGrowsByTheSizeOfTheData() {
    long start = budget.usedBytes();
    Payment payment = booked(payment("acme", "pay_1", 100, 100));
    long afterPayment = budget.usedBytes();
    assertThat(ledger.apply(List.of(refund(payment, "re_1", 10)))).isEmpty();
    long afterRefund = budget.usedBytes();
    assertThat(ledger.apply(List.of(refund(payment, "re_2", 91)))).isPresent();

    assertThat(afterPayment - start).isGreaterThan(500);
    assertThat(afterRefund - afterPayment).isGreaterThan(200);
    assertThat(budget.usedBytes()).as("what is refused").isEqualTo(afterRefund);
  }

  @Test
  void growthIsRejectedWithoutRoom() {
    put("c", "Ann", 10);
    budget.add(1 << 30);
    long spent = budget.usedBytes();

    assertThat(put("d", "Ann", 20)).isEqualTo(new Full());
    assertThat(put("c", "Anna", 20)).isEqualTo(new Full());
    assertThat(put("c", "Bea", 20)).isInstanceOf(Stored.class);
    assertThat(put("c", "Al", 20)).isInstanceOf(Stored.class);

    assertThat(budget.usedBytes()).isEqualTo(spent - 2);
    assertThat(ledger.findCustomer("acme", "d").result()).isEmpty();
  }

  @Test
  void customersWithCollidingHashesStayFast() {
    double cost = Collisions.cost(ids -> ids.forEach(id -> put(id, "Ann", 10)));

    assertThat(cost).isLessThan(100);
  }

  private Payment booked(Payment payment) {
    assertThat(ledger.apply(List.of(new InsertPayment(payment)))).isEmpty();
    return payment;
  }

  private CustomerPut.Result put(String id, String name, long at) {
    return ledger
        .putCustomer(
            new CustomerPut("acme", id, Optional.of(name), Optional.empty(), Precondition.NONE, at))
        .result();
  }
}
