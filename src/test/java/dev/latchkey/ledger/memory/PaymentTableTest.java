package dev.latchkey.ledger.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.ledger.Balance;
import dev.latchkey.ledger.LedgerFixtures;
import dev.latchkey.ledger.Page;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentFilter;
import dev.latchkey.ledger.PaymentQuery;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table with its indexes against a plain list of payments. */
class PaymentTableTest {

  private static final List<String> TENANTS = List.of("acme", "other");

  private final PaymentTable table = new PaymentTable();
  private final List<Payment> expected = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void findsEveryPaymentInItsLatestState(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 300; i++) {
      if (expected.isEmpty() || random.nextBoolean()) {
        book(some(random, "pay_" + expected.size()));
      } else {
        change(random.nextInt(expected.size()), random.nextInt(5));
      }
    }
    for (Payment payment : expected) {
      assertThat(table.payment(payment.id())).contains(payment);
      assertThat(table.paymentByCharge(payment.origin().pspCharge())).contains(payment);
      assertThat(table.payment(payment.tenant(), payment.id())).contains(payment);
      assertThat(table.payment("nobody", payment.id())).isEmpty();
    }
    assertThat(table.payment("pay_" + expected.size())).isEmpty();
    assertThat(table.paymentByCharge("ch_none")).isEmpty();
    TENANTS.forEach(this::checkLists);
  }

  private void checkLists(String tenant) {
    assertThat(listed(query(tenant, Optional.empty(), Optional.empty()))).isEqualTo(of(tenant));
    for (int i = 0; i < 5; i++) {
      String name = "c" + i;
      assertThat(listed(query(tenant, Optional.of(name), Optional.empty())))
          .isEqualTo(
              of(tenant).stream()
                  .filter(it -> it.details().customer().equals(Optional.of(name)))
                  .toList());
      String key = "key-" + i;
      assertThat(listed(query(tenant, Optional.empty(), Optional.of(key))))
          .isEqualTo(
              of(tenant).stream().filter(it -> it.origin().idempotencyKey().equals(key)).toList());
    }
    assertThat(table.balances(tenant)).isEqualTo(balances(tenant));
  }

  private List<Payment> of(String tenant) {
    return expected.stream().filter(it -> it.tenant().equals(tenant)).toList();
  }

  /** Reads a list page by page; oldest first. */
  private List<Payment> listed(PaymentQuery first) {
    List<Payment> listed = new ArrayList<>();
    Page<Payment> page = table.page(first).orElseThrow();
    listed.addAll(page.data());
    while (page.hasMore()) {
      String last = listed.get(listed.size() - 1).id();
      page = table.page(after(first, last)).orElseThrow();
      listed.addAll(page.data());
    }
    Collections.reverse(listed);
    return listed;
  }

  private static PaymentQuery query(
      String tenant, Optional<String> customer, Optional<String> idempotencyKey) {
    return new PaymentQuery(
        tenant, 7, Optional.empty(), PaymentFilter.of(customer, idempotencyKey));
  }

  private static PaymentQuery after(PaymentQuery query, String payment) {
    return new PaymentQuery(query.tenant(), query.limit(), Optional.of(payment), query.filter());
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
    table.insert(payment);
    expected.add(payment);
  }

  private void change(int index, int amount) {
    Payment before = expected.get(index);
    Payment after =
        before.state().capturedAmount() == 0
            ? before.with(before.state().captured(50 + amount, Optional.of("again"), 2_000))
            : before.with(before.state().refunded(amount, 3_000));
    table.replace(after);
    expected.set(index, after);
  }
}
