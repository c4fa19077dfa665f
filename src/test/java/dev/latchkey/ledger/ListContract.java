package dev.latchkey.ledger;

import static dev.latchkey.ledger.LedgerFixtures.payment;
import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Lists: order, pages, filters. */
public interface ListContract extends LedgerContract {

  @Test
  default void newestFirstWithWhetherMoreFollow() {
    insert(1, 5);

    assertThat(ids(page(2, ""))).containsExactly("pay_5", "pay_4");
    assertThat(page(2, "").hasMore()).isTrue();
    assertThat(page(2, "pay_3").hasMore()).isFalse();
    assertThat(ids(page(2, "pay_3"))).containsExactly("pay_2", "pay_1");
    assertThat(page(5, "").hasMore()).isFalse();
    assertThat(page(5, "pay_1").data()).isEmpty();
    assertThat(page(5, "pay_1").hasMore()).isFalse();
  }

  @Test
  default void pagesDoNotMoveWhilePaymentsAreInserted() {
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
  default void aChangedPaymentKeepsItsPlace() {
    insert(1, 3);
    assertApplied(LedgerFixtures.refund(read("pay_2"), "re_1", 1));

    assertThat(page(3, "").data()).containsExactly(read("pay_3"), read("pay_2"), read("pay_1"));
  }

  @Test
  default void filtersByCustomerAndKeyAndBoth() {
    booked(payment("acme", "pay_1", 1, 1, Optional.of("ann"), "k1"));
    booked(payment("acme", "pay_2", 1, 1, Optional.of("bob"), "k1"));
    booked(payment("acme", "pay_3", 1, 1, Optional.of("ann"), "k2"));
    booked(payment("other", "pay_4", 1, 1, Optional.of("ann"), "k1"));

    assertThat(filtered("", "ann", "")).containsExactly("pay_3", "pay_1");
    assertThat(filtered("", "", "k1")).containsExactly("pay_2", "pay_1");
    assertThat(filtered("", "ann", "k1")).containsExactly("pay_1");
    assertThat(filtered("", "nobody", "")).isEmpty();
    assertThat(filtered("pay_3", "ann", "")).containsExactly("pay_1");
    assertThat(filtered("pay_2", "", "k1")).containsExactly("pay_1");
    assertThat(filtered("pay_1", "ann", "k1")).isEmpty();
  }

  @Test
  default void startsOnlyAfterAPaymentOfTheSameList() {
    booked(payment("acme", "pay_1", 1, 1, Optional.of("ann"), "k1"));
    booked(payment("acme", "pay_2", 1, 1, Optional.of("bob"), "k2"));
    booked(payment("other", "pay_3", 1, 1, Optional.of("ann"), "k1"));

    assertThat(list("pay_2", "ann", "")).isEmpty();
    assertThat(list("pay_2", "", "k1")).isEmpty();
    assertThat(list("pay_3", "", "")).isEmpty();
    assertThat(list("pay_9", "", "")).isEmpty();
    assertThat(list("pay_2", "", "")).isPresent();
  }

  @Test
  default void anEmptyIdIsNoPaymentToStartAfter() {
    insert(1, 1);

    PaymentQuery query =
        new PaymentQuery("acme", 10, Optional.of(""), Optional.empty(), Optional.empty());
    assertThat(await(books().ledger().listPayments(query))).isEmpty();
  }

  private void insert(int from, int to) {
    for (int i = from; i <= to; i++) {
      booked(payment("acme", "pay_" + i, 1, 1));
    }
  }

  private Page page(int limit, String after) {
    PaymentQuery query =
        new PaymentQuery("acme", limit, given(after), Optional.empty(), Optional.empty());
    return await(books().ledger().listPayments(query)).orElseThrow();
  }

  private Optional<Page> list(String after, String customer, String key) {
    return await(
        books()
            .ledger()
            .listPayments(new PaymentQuery("acme", 10, given(after), given(customer), given(key))));
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
