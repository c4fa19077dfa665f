package dev.latchkey.ledger.memory;

import static dev.latchkey.ledger.LedgerFixtures.payment;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import dev.latchkey.ledger.Page;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentQuery;
import dev.latchkey.store.memory.MemoryBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MemoryLedgerListTest {

  private final MemoryLedger ledger = new MemoryLedger(new MemoryBudget(1 << 30));

  @Test
  void newestFirstWithWhetherMoreFollow() {
    insert(1, 5);

    assertThat(ids(page(2, ""))).containsExactly("pay_5", "pay_4");
    assertThat(page(2, "").hasMore()).isTrue();
    assertThat(page(2, "pay_3").hasMore()).isFalse();
    assertThat(ids(page(2, "pay_3"))).containsExactly("pay_2", "pay_1");
    assertThat(page(5, "").hasMore()).isFalse();
    assertThat(page(5, "pay_1").data()).isEmpty();
  }

  @Test
  void pagesDoNotMoveWhilePaymentsAreInserted() {
    insert(1, 20);
    List<String> seen = new ArrayList<>();
    String after = "";
    int inserted = 20;
    Page page;
    do {
      page = page(3, after);
      seen.addAll(ids(page));
      after = seen.get(seen.size() - 1);
      insert(inserted + 1, inserted + 4);
      inserted += 4;
    } while (page.hasMore());

    List<String> expected = new ArrayList<>();
    for (int i = 20; i >= 1; i--) {
      expected.add("pay_" + i);
    }
    assertThat(seen).containsExactlyElementsOf(expected);
  }

  @Test
  void filtersByCustomerAndKeyAndBoth() {
    add(payment("acme", "pay_1", 1, 1, Optional.of("ann"), "k1"));
    add(payment("acme", "pay_2", 1, 1, Optional.of("bob"), "k1"));
    add(payment("acme", "pay_3", 1, 1, Optional.of("ann"), "k2"));
    add(payment("other", "pay_4", 1, 1, Optional.of("ann"), "k1"));

    assertThat(filtered("", "ann", "")).containsExactly("pay_3", "pay_1");
    assertThat(filtered("", "", "k1")).containsExactly("pay_2", "pay_1");
    assertThat(filtered("", "ann", "k1")).containsExactly("pay_1");
    assertThat(filtered("", "nobody", "")).isEmpty();
    assertThat(filtered("pay_3", "ann", "")).containsExactly("pay_1");
  }

  @Test
  void startsOnlyAfterAPaymentOfTheSameList() {
    add(payment("acme", "pay_1", 1, 1, Optional.of("ann"), "k1"));
    add(payment("acme", "pay_2", 1, 1, Optional.of("bob"), "k2"));
    add(payment("other", "pay_3", 1, 1, Optional.of("ann"), "k1"));

    assertThat(list("pay_2", "ann", "")).isEmpty();
    assertThat(list("pay_2", "", "k1")).isEmpty();
    assertThat(list("pay_3", "", "")).isEmpty();
    assertThat(list("pay_9", "", "")).isEmpty();
    assertThat(list("pay_2", "", "")).isPresent();
  }

  private void insert(int from, int to) {
    for (int i = from; i <= to; i++) {
      add(payment("acme", "pay_" + i, 1, 1));
    }
  }

  private void add(Payment payment) {
    assertThat(ledger.apply(List.of(new InsertPayment(payment)))).isEmpty();
  }

  private Page page(int limit, String after) {
    PaymentQuery query =
        new PaymentQuery("acme", limit, given(after), Optional.empty(), Optional.empty());
    return ledger.listPayments(query).result().orElseThrow();
  }

  private Optional<Page> list(String after, String customer, String key) {
    return ledger
        .listPayments(new PaymentQuery("acme", 10, given(after), given(customer), given(key)))
        .result();
  }

  private List<String> filtered(String after, String customer, String key) {
    return ids(list(after, customer, key).orElseThrow());
  }

  private static Optional<String> given(String text) {
    return Optional.of(text).filter(it -> !it.isEmpty());
  }

  private static List<String> ids(Page page) {
    return page.data().stream().map(Payment::id).toList();
  }
}
