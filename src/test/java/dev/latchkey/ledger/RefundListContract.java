package dev.latchkey.ledger;

import static dev.latchkey.ledger.LedgerFixtures.payment;
import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Reading refunds. */
public interface RefundListContract extends LedgerContract {

  @Test
  default void aRefundIsFoundByItsOwnTenant() {
    Payment payment = booked(payment("acme", "pay_1", 100, 100));
    LedgerEffect.BookRefund refund = LedgerFixtures.refund(payment, "re_1", 10);
    assertApplied(refund);

    assertThat(await(books().ledger().findRefund("acme", "re_1"))).contains(refund.refund());
    assertThat(await(books().ledger().findRefund("other", "re_1"))).isEmpty();
    assertThat(await(books().ledger().findRefund("acme", "re_2"))).isEmpty();
  }

  @Test
  default void refundsOfAPaymentAreListedNewestFirst() {
    Payment payment = booked(payment("acme", "pay_1", 100, 100));
    Payment next = booked(payment("acme", "pay_2", 100, 100));
    for (int i = 1; i <= 5; i++) {
      assertApplied(LedgerFixtures.refund(payment, "re_" + i, 10));
    }
    assertApplied(LedgerFixtures.refund(next, "re_6", 10));

    List<String> seen = new ArrayList<>();
    Page<Refund> page = refunds("acme", "pay_1", 2, "").orElseThrow();
    seen.addAll(ids(page));
    while (page.hasMore()) {
      page = refunds("acme", "pay_1", 2, seen.get(seen.size() - 1)).orElseThrow();
      seen.addAll(ids(page));
    }

    assertThat(seen).containsExactly("re_5", "re_4", "re_3", "re_2", "re_1");
    assertThat(refunds("acme", "pay_1", 5, "").orElseThrow().hasMore()).isFalse();
  }

  @Test
  default void theListOfRefundsIsOfOneTenantAndOnePayment() {
    Payment payment = booked(payment("acme", "pay_1", 100, 100));
    booked(payment("acme", "pay_2", 100, 100));
    assertApplied(LedgerFixtures.refund(payment, "re_1", 10));

    assertThat(refunds("other", "pay_1", 5, "").orElseThrow().data()).isEmpty();
    assertThat(refunds("acme", "pay_2", 5, "").orElseThrow().data()).isEmpty();
    assertThat(refunds("acme", "pay_1", 5, "re_1").orElseThrow().data()).isEmpty();
    assertThat(refunds("acme", "pay_2", 5, "re_1")).as("of another payment").isEmpty();
    assertThat(refunds("acme", "pay_1", 5, "re_9")).as("of none").isEmpty();
  }

  private Optional<Page<Refund>> refunds(String tenant, String payment, int limit, String after) {
    Optional<String> start = Optional.of(after).filter(it -> !it.isEmpty());
    return await(books().ledger().listRefunds(new RefundQuery(tenant, payment, limit, start)));
  }

  private static List<String> ids(Page<Refund> page) {
    return page.data().stream().map(Refund::id).toList();
  }
}
