package dev.latchkey.ledger.memory;

import static dev.latchkey.ledger.LedgerFixtures.payment;
import static dev.latchkey.ledger.LedgerFixtures.refund;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.idempotency.spi.Effect;
import dev.latchkey.ledger.LedgerEffect.BookCancel;
import dev.latchkey.ledger.LedgerEffect.BookCapture;
import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentOrigin;
import dev.latchkey.ledger.PaymentQuery;
import dev.latchkey.store.memory.MemoryBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryLedgerRaceTest {

  private static final int THREADS = 8;
  private static final int ROUNDS = 200;

  private final MemoryLedger ledger = new MemoryLedger(new MemoryBudget(1 << 30));
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

  @AfterEach
  void close() {
    threads.shutdownNow();
  }

  @Test
  void onePaymentPerChargeHoweverManyInsertIt() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      String charge = "ch_shared_" + round;
      String prefix = "pay_" + round + "_";
      int applied =
          race(
              thread -> {
                Payment own = payment("acme", prefix + thread, 10, 10);
                PaymentOrigin origin = new PaymentOrigin("acme", "k", "d", charge, 1);
                return new InsertPayment(new Payment(own.id(), origin, own.details(), own.state()));
              });
      assertThat(applied).isEqualTo(1);
    }
    assertThat(ledger.balance("acme").result().get(0).payments()).isEqualTo(ROUNDS);
  }

  @Test
  void refundsNeverExceedTheCapture() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Payment payment = payment("acme", "pay_" + round, 50, 50);
      ledger.apply(List.of(new InsertPayment(payment)));
      String prefix = "re_" + round + "_";

      int applied = race(thread -> refund(payment, prefix + thread, 10));

      assertThat(applied).isEqualTo(5);
    }
    assertThat(ledger.balance("acme").result().get(0).net()).isZero();
  }

  @Test
  void captureAndCancelExcludeEachOther() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      String id = "pay_" + round;
      ledger.apply(List.of(new InsertPayment(payment("acme", id, 50, 0))));

      int applied =
          race(
              thread ->
                  thread % 2 == 0
                      ? new BookCapture("acme", id, 1, 50, "d" + thread, 2)
                      : new BookCancel("acme", id, 1, "d" + thread, 2));

      assertThat(applied).isEqualTo(1);
    }
  }

  @Test
  void aReaderSeesAllOfACommitOrNothing() throws Exception {
    Future<?> writer =
        threads.submit(
            () -> {
              for (int i = 0; i < 2_000; i++) {
                ledger.apply(
                    List.of(
                        new InsertPayment(payment("acme", "pay_a" + i, 10, 10)),
                        new InsertPayment(payment("acme", "pay_b" + i, 10, 10))));
              }
            });
    do {
      assertThat(ledger.balance("acme").result().stream().mapToLong(it -> it.payments()).sum() % 2)
          .isZero();
      List<Payment> newest =
          ledger.listPayments(PaymentQuery.all("acme", 1)).result().orElseThrow().data();
      assertThat(newest).allSatisfy(it -> assertThat(it.id()).startsWith("pay_b"));
    } while (!writer.isDone());
    writer.get();
  }

  /** Applies one effect per thread at once, and counts how many were taken. */
  private int race(IntFunction<Effect> effect) throws Exception {
    CyclicBarrier start = new CyclicBarrier(THREADS);
    List<Future<Boolean>> outcomes = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      outcomes.add(
          threads.submit(
              () -> {
                List<Effect> effects = List.of(effect.apply(thread));
                start.await();
                return ledger.apply(effects).isEmpty();
              }));
    }
    int applied = 0;
    for (Future<Boolean> outcome : outcomes) {
      applied += outcome.get() ? 1 : 0;
    }
    return applied;
  }
}
