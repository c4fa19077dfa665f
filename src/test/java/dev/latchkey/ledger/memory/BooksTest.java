package dev.latchkey.ledger.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.ledger.Balance;
import dev.latchkey.ledger.LedgerFixtures;
import dev.latchkey.ledger.Payment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The packed books with their indexes against a list of payments. */
class BooksTest {

  private static final List<String> TENANTS = List.of("acme", "other");

  private final Books books = new Books();
  private final List<Payment> expected = new ArrayList<>();

  @Property(tries = 100)
  void findsWhatWasBookedAsItWasChangedLast(@ForAll long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 300; i++) {
      if (expected.isEmpty() || random.nextBoolean()) {
        book(some(random, "pay_" + expected.size()));
      } else {
        change(random.nextInt(expected.size()), random.nextInt(5));
      }
    }
    for (Payment payment : expected) {
      assertThat(books.payment(payment.id())).contains(payment);
      assertThat(books.paymentByCharge(payment.origin().pspCharge())).contains(payment);
      int number = books.number(payment.tenant(), payment.id());
      assertThat(books.payment(number)).isEqualTo(payment);
      assertThat(books.number("nobody", payment.id())).isEqualTo(PackedPayment.NONE);
    }
    assertThat(books.hasPayment("pay_" + expected.size())).isFalse();
    assertThat(books.hasCharge("ch_none")).isFalse();
    TENANTS.forEach(this::checkLists);
  }

  private void checkLists(String tenant) {
    assertThat(listed(books.all(tenant))).isEqualTo(of(tenant));
    for (int i = 0; i < 5; i++) {
      String name = "c" + i;
      assertThat(listed(books.ofCustomer(tenant, name)))
          .isEqualTo(
              of(tenant).stream()
                  .filter(it -> it.details().customer().equals(Optional.of(name)))
                  .toList());
      String key = "key-" + i;
      assertThat(listed(books.ofIdempotencyKey(tenant, key)))
          .isEqualTo(
              of(tenant).stream().filter(it -> it.origin().idempotencyKey().equals(key)).toList());
    }
    assertThat(books.balances(tenant)).isEqualTo(balances(tenant));
  }

  private List<Payment> of(String tenant) {
    return expected.stream().filter(it -> it.tenant().equals(tenant)).toList();
  }

  private List<Payment> listed(Numbers numbers) {
    List<Payment> listed = new ArrayList<>();
    for (int i = 0; i < numbers.size(); i++) {
      assertThat(numbers.indexOf(numbers.get(i))).isEqualTo(i);
      listed.add(books.payment(numbers.get(i)));
    }
    return listed;
  }

  private List<Balance> balances(String tenant) {
    List<Payment> captured =
        of(tenant).stream().filter(it -> it.state().capturedAmount() > 0).toList();
    if (captured.isEmpty()) {
      return List.of();
    }
    return List.of(
        new Balance(
            "EUR",
            captured.stream().mapToLong(it -> it.state().capturedAmount()).sum(),
            captured.stream().mapToLong(it -> it.state().refundedAmount()).sum(),
            captured.size()));
  }

  private static Payment some(Random random, String id) {
    Optional<String> customer =
        random.nextBoolean() ? Optional.empty() : Optional.of("c" + random.nextInt(5));
    return LedgerFixtures.payment(
        TENANTS.get(random.nextInt(2)),
        id,
        100,
        random.nextBoolean() ? 100 : 0,
        customer,
        "key-" + random.nextInt(5));
  }

  private void book(Payment payment) {
    books.insert(payment);
    expected.add(payment);
  }

  private void change(int index, int amount) {
    Payment before = expected.get(index);
    Payment after =
        before.state().capturedAmount() == 0
            ? before.with(before.state().captured(50 + amount, Optional.of("again"), 2_000))
            : before.with(before.state().refunded(amount, 3_000));
    books.replace(after);
    expected.set(index, after);
  }
}
