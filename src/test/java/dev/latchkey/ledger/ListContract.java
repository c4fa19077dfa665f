package dev.latchkey.ledger;

import static dev.latchkey.ledger.LedgerFixtures.created;
import static dev.latchkey.ledger.LedgerFixtures.payment;
import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
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
    Page<Payment> page;
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

    PaymentQuery query = new PaymentQuery("acme", 10, Optional.of(""), PaymentFilter.ALL);
    assertThat(await(books().ledger().listPayments(query))).isEmpty();
  }

  @Test
  default void filtersByStatusAndByTimeOfCreation() {
    booked(created("acme", "pay_1", 1_000));
    booked(created("acme", "pay_2", 2_000));
    booked(created("acme", "pay_3", 3_000));
    booked(payment("acme", "pay_4", 5, 0));
    assertApplied(LedgerFixtures.refund(read("pay_2"), "re_1", 1));

    assertThat(passing(PaymentStatus.SUCCEEDED, null, null)).containsExactly("pay_3", "pay_1");
    assertThat(passing(PaymentStatus.REFUNDED, null, null)).containsExactly("pay_2");
    assertThat(passing(null, 1_000L, null)).as("after").containsExactly("pay_3", "pay_2");
    assertThat(passing(null, null, 3_000L)).containsExactly("pay_4", "pay_2", "pay_1");
    assertThat(passing(PaymentStatus.SUCCEEDED, 999L, 3_000L)).containsExactly("pay_1");
    assertThat(passing(PaymentStatus.CANCELED, null, null)).isEmpty();
  }

  @Test
  default void pagesOfAFilteredListHaveAllPaymentsThatPass() {
    for (int i = 1; i <= 250; i++) {
      booked(created("acme", "pay_" + i, i % 50 == 0 ? 5_000 : 1_000));
    }
    PaymentFilter late = filter(null, 1_000L, null);

    List<String> seen = new ArrayList<>();
    Page<Payment> page = list("", late, 2);
    seen.addAll(ids(page));
    while (page.hasMore()) {
      page = list(seen.get(seen.size() - 1), late, 2);
      seen.addAll(ids(page));
    }

    assertThat(seen).containsExactly("pay_250", "pay_200", "pay_150", "pay_100", "pay_50");
  }

  private List<String> passing(
      @Nullable PaymentStatus status, @Nullable Long after, @Nullable Long before) {
    return ids(list("", filter(status, after, before), 10));
  }

  private static PaymentFilter filter(
      @Nullable PaymentStatus status, @Nullable Long after, @Nullable Long before) {
    return new PaymentFilter(
        Optional.empty(),
        Optional.empty(),
        Optional.ofNullable(status),
        after == null ? OptionalLong.empty() : OptionalLong.of(after),
        before == null ? OptionalLong.empty() : OptionalLong.of(before));
  }

  private Page<Payment> list(String after, PaymentFilter filter, int limit) {
    PaymentQuery query = new PaymentQuery("acme", limit, given(after), filter);
    return await(books().ledger().listPayments(query)).orElseThrow();
  }

  private Optional<Page<Payment>> list(String after, PaymentFilter filter) {
    return await(books().ledger().listPayments(new PaymentQuery("acme", 10, given(after), filter)));
  }

  private void insert(int from, int to) {
    for (int i = from; i <= to; i++) {
      booked(payment("acme", "pay_" + i, 1, 1));
    }
  }

  private Page<Payment> page(int limit, String after) {
    PaymentQuery query = new PaymentQuery("acme", limit, given(after), PaymentFilter.ALL);
    return await(books().ledger().listPayments(query)).orElseThrow();
  }

  private Optional<Page<Payment>> list(String after, String customer, String key) {
    return list(after, PaymentFilter.of(given(customer), given(key)));
  }

  private List<String> filtered(String after, String customer, String key) {
    return ids(list(after, customer, key).orElseThrow());
  }

  private static Optional<String> given(String text) {
    return Optional.of(text).filter(it -> !it.isEmpty());
  }

  private static List<String> ids(Page<Payment> page) {
    return page.data().stream().map(Payment::id).toList();
  }
}
