package dev.latchkey.ledger.postgres;

import static dev.latchkey.ledger.LedgerFixtures.payment;
import static dev.latchkey.ledger.LedgerFixtures.refund;
import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.ledger.Balance;
import dev.latchkey.ledger.LedgerEffect;
import dev.latchkey.ledger.LedgerEffect.BookCancel;
import dev.latchkey.ledger.LedgerEffect.BookCapture;
import dev.latchkey.ledger.LedgerEffect.BookRefund;
import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import dev.latchkey.ledger.LedgerFixtures;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentOrigin;
import dev.latchkey.ledger.Refund;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.Database;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many effects in one statement. */
class EffectBatchTest {

  private static final int MANY = 300;

  private static Database database;
  private static Vertx vertx;
  private static Pool pool;
  private static PostgresLedger ledger;

  @BeforeAll
  static void connect() {
    database = LedgerDatabase.fresh();
    vertx = TestVertx.create();
    pool = RawPool.create(vertx, database.connectOptions(), 4);
    ledger = PostgresLedger.create(vertx, database.connectOptions());
  }

  @AfterAll
  static void disconnect() {
    await(pool.close());
    await(vertx.close());
  }

  @BeforeEach
  void empty() {
    LedgerDatabase.empty(database);
  }

  @Test
  void effectsOfAllKindsSeeTheirOwnRow() {
    insert(0, MANY, 0);
    List<LedgerEffect> mixed = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      mixed.add(
          switch (i % 3) {
            case 0 -> new BookCapture("acme", "pay_" + i, 1, 60, "d", 5_000);
            case 1 -> new BookCancel("acme", "pay_" + i, 1, "d", 5_000);
            default -> refund(payment("acme", "pay_" + i, 100, 0), "re_" + i, 30);
          });
      mixed.add(new InsertPayment(payment("acme", "new_" + i, 7, 7)));
    }
    Collections.shuffle(mixed, new Random(7));

    assertThat(run(mixed)).hasSize(2 * MANY);

    int third = MANY / 3;
    assertThat(await(ledger.balance("acme")))
        .containsExactly(
            new Balance("EUR", third * 160L + MANY * 7L, third * 30L, 2L * third + MANY));
    assertThat(await(ledger.findPayment("acme", "pay_299")).orElseThrow().state().refundedAmount())
        .isEqualTo(30);
    assertTotalsAreTheSumOfThePayments();
  }

  @Test
  void refusedEffectIsMissingFromTheResult() {
    insert(0, 10, 0);
    run(List.of(new BookCapture("acme", "pay_0", 1, 50, "d", 5)));

    Set<Integer> applied =
        run(
            List.of(
                new BookCapture("acme", "pay_0", 2, 50, "d", 5),
                new BookCapture("acme", "pay_1", 2, 50, "d", 5),
                new BookCapture("acme", "pay_2", 1, 101, "d", 5),
                new BookCapture("other", "pay_3", 1, 50, "d", 5),
                new BookCapture("acme", "pay_4", 1, 50, "d", 5),
                new BookCancel("acme", "pay_5", 7, "d", 5),
                new BookCancel("acme", "pay_6", 1, "d", 5),
                refund(payment("acme", "pay_7", 100, 0), "re_7", 101),
                refund(payment("acme", "pay_8", 100, 0), "re_8", 100),
                refund(payment("acme", "pay_99", 100, 0), "re_9", 1),
                new InsertPayment(payment("acme", "pay_10", 100, 0))));

    assertThat(applied).containsExactly(4, 6, 8, 10);
  }

  @Test
  void twoPaymentsOfOneChargeAreRefused() {
    Payment first = payment("acme", "pay_1", 10, 10);
    Payment second = payment("acme", "pay_2", 10, 10);
    PaymentOrigin origin = new PaymentOrigin("acme", "k", "d", "ch_pay_1", 1);

    assertThatThrownBy(
            () ->
                run(
                    List.of(
                        new InsertPayment(first),
                        new InsertPayment(
                            new Payment("pay_2", origin, second.details(), second.state())))))
        .hasStackTraceContaining("ledger_payments_one_per_charge");
  }

  @Test
  void oneRefundOfThePspForTwoPaymentsIsRefused() {
    insert(0, 2, 100);
    Refund one = refund(payment("acme", "pay_0", 100, 100), "re_0", 1).refund();
    Refund other =
        new Refund(
            "acme", "re_1", "pay_1", 1, one.reason(), one.pspRefund(), one.derivedKey(), 2_000);

    // The refund that is left out no longer adds up with its payment: the statement fails whole.
    assertThatThrownBy(() -> run(List.of(new BookRefund(one, 100), new BookRefund(other, 100))))
        .hasStackTraceContaining("do not add up");
    assertThat(await(ledger.findRefundByPspId(one.pspRefund()))).isEmpty();
  }

  @Test
  void bookingsAreListedInTheOrderOfTheEffects() {
    List<LedgerEffect> effects = new ArrayList<>();
    // Charges sort the other way round than ids.
    for (int i = 0; i < 20; i++) {
      Payment made = payment("acme", "pay_" + i, 1, 1);
      PaymentOrigin origin = new PaymentOrigin("acme", "k", "d", "ch_" + (char) ('z' - i), 1);
      effects.add(new InsertPayment(new Payment(made.id(), origin, made.details(), made.state())));
    }
    run(effects);

    assertThat(await(ledger.listPayments(LedgerFixtures.all("acme", 20))).orElseThrow().data())
        .extracting(Payment::id)
        .containsExactlyElementsOf(
            IntStream.range(0, 20).map(i -> 19 - i).mapToObj(i -> "pay_" + i).toList());
  }

  @Test
  void overlappingBatchesInOppositeOrderDoNotDeadlock() {
    insert(0, MANY, 100_000);
    long deadlocks = deadlocks();
    for (int round = 0; round < 10; round++) {
      List<LedgerEffect> up = refunds("up" + round);
      List<LedgerEffect> down = refunds("down" + round);
      Collections.reverse(down);
      List<LedgerEffect> shuffled = refunds("any" + round);
      Collections.shuffle(shuffled, new Random(round));

      await(
          Future.all(
              EffectStatement.of(up).run(pool),
              EffectStatement.of(down).run(pool),
              EffectStatement.of(shuffled).run(pool)));
    }

    assertThat(deadlocks()).isEqualTo(deadlocks);
    assertThat(await(ledger.balance("acme")).get(0).refunded()).isEqualTo(30L * MANY);
    assertTotalsAreTheSumOfThePayments();
  }

  private static List<LedgerEffect> refunds(String prefix) {
    List<LedgerEffect> refunds = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      refunds.add(refund(payment("acme", "pay_" + i, 100_000, 100_000), prefix + "_" + i, 1));
    }
    return refunds;
  }

  private static void insert(int from, int to, long captured) {
    long amount = Math.max(captured, 100);
    List<LedgerEffect> inserts = new ArrayList<>();
    for (int i = from; i < to; i++) {
      inserts.add(new InsertPayment(payment("acme", "pay_" + i, amount, captured)));
    }
    assertThat(run(inserts)).hasSize(to - from);
  }

  private static Set<Integer> run(List<? extends LedgerEffect> effects) {
    return await(EffectStatement.of(effects).run(pool));
  }

  private static long deadlocks() {
    database.value("SELECT pg_stat_force_next_flush()");
    return Long.parseLong(
        database.value(
            "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"));
  }

  private static void assertTotalsAreTheSumOfThePayments() {
    assertThat(
            database.value(
                """
                SELECT count(*) FROM (
                  SELECT tenant, currency, sum(captured_amount), sum(refunded_amount),
                    count(*) FILTER (WHERE captured_amount > 0)
                  FROM ledger_payments GROUP BY tenant, currency
                  EXCEPT SELECT tenant, currency, sum(captured), sum(refunded), sum(payments)
                  FROM ledger_balances GROUP BY tenant, currency) odd
                """))
        .isEqualTo("0");
  }
}
