package dev.latchkey.ledger.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.ledger.Customer;
import dev.latchkey.ledger.CustomerPut;
import dev.latchkey.ledger.CustomerPut.ConditionFailed;
import dev.latchkey.ledger.CustomerPut.Created;
import dev.latchkey.ledger.CustomerPut.Full;
import dev.latchkey.ledger.CustomerPut.Stored;
import dev.latchkey.ledger.Precondition;
import dev.latchkey.ledger.Precondition.Any;
import dev.latchkey.ledger.Precondition.OneOf;
import dev.latchkey.ledger.Precondition.Versions;
import dev.latchkey.store.memory.MemoryBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class MemoryLedgerCustomersTest {

  private static final int THREADS = 8;
  private static final int ROUNDS = 200;

  private final MemoryBudget budget = new MemoryBudget(1 << 30);
  private final MemoryLedger ledger = new MemoryLedger(budget);

  @Test
  void isMadeOnceAndReplacedFromThenOn() {
    Customer first = new Customer("acme", "c", Optional.of("Ann"), Optional.empty(), 10, 10, 1);
    assertThat(put("c", "Ann", Precondition.NONE, 10)).isEqualTo(new Created(first));

    CustomerPut.Result second = put("c", "Bea", Precondition.NONE, 20);

    Customer then = new Customer("acme", "c", Optional.of("Bea"), Optional.empty(), 10, 20, 2);
    assertThat(second).isEqualTo(new Stored(then));
    assertThat(ledger.findCustomer("acme", "c").result()).contains(then);
    assertThat(ledger.findCustomer("other", "c").result()).isEmpty();
    assertThat(ledger.findCustomer("acme", "d").result()).isEmpty();
  }

  @Test
  void theSamePutAgainChangesNothing() {
    put("c", "Ann", Precondition.NONE, 10);
    Customer before = ledger.findCustomer("acme", "c").result().orElseThrow();

    assertThat(put("c", "Ann", Precondition.NONE, 20)).isEqualTo(new Stored(before));
    assertThat(ledger.findCustomer("acme", "c").result()).contains(before);
  }

  @Test
  void timeNeverGoesBack() {
    put("c", "Ann", Precondition.NONE, 10);
    put("c", "Bea", Precondition.NONE, 5);

    assertThat(ledger.findCustomer("acme", "c").result().orElseThrow().updatedAtEpochMillis())
        .isEqualTo(10);
  }

  @Test
  void conditionsDecideBeforeAnythingIsWritten() {
    Versions any = new Any();
    assertThat(put("c", "Ann", ifMatch(any), 10)).isEqualTo(new ConditionFailed());
    assertThat(put("c", "Ann", ifMatch(versions(1)), 10)).isEqualTo(new ConditionFailed());
    assertThat(ledger.findCustomer("acme", "c").result()).isEmpty();

    assertThat(put("c", "Ann", ifNoneMatch(any), 10)).isInstanceOf(Created.class);
    assertThat(put("c", "Bea", ifNoneMatch(any), 20)).isEqualTo(new ConditionFailed());
    assertThat(put("c", "Bea", ifNoneMatch(versions(1)), 20)).isEqualTo(new ConditionFailed());
    assertThat(put("c", "Bea", ifMatch(versions(2)), 20)).isEqualTo(new ConditionFailed());
    assertThat(put("c", "Bea", ifMatch(versions()), 20)).isEqualTo(new ConditionFailed());

    assertThat(put("c", "Bea", ifMatch(versions(1, 7)), 20)).isInstanceOf(Stored.class);
    assertThat(put("c", "Cleo", ifMatch(any), 30)).isInstanceOf(Stored.class);
    assertThat(put("c", "Dora", ifNoneMatch(versions(1, 2)), 40)).isInstanceOf(Stored.class);
    assertThat(ledger.findCustomer("acme", "c").result().orElseThrow().version()).isEqualTo(4);
  }

  @Test
  void whatGrowsIsRefusedWhenThereIsNoRoom() {
    put("c", "Ann", Precondition.NONE, 10);
    budget.add(1 << 30);
    long spent = budget.usedBytes();

    assertThat(put("d", "Ann", Precondition.NONE, 20)).isEqualTo(new Full());
    assertThat(put("c", "Anna", Precondition.NONE, 20)).isEqualTo(new Full());
    assertThat(put("c", "Bea", Precondition.NONE, 20)).isInstanceOf(Stored.class);
    assertThat(put("c", "Al", Precondition.NONE, 20)).isInstanceOf(Stored.class);

    assertThat(budget.usedBytes()).isEqualTo(spent - 2);
    assertThat(ledger.findCustomer("acme", "d").result()).isEmpty();
  }

  @Test
  void ofAnyNumberOfPutsAtATimeOneMakesTheCustomer() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      String id = "c" + round;
      List<CustomerPut.Result> results = race(id, "name ", Precondition.NONE);

      assertThat(results).filteredOn(it -> it instanceof Created).hasSize(1);
      assertThat(results).filteredOn(it -> it instanceof Stored).hasSize(THREADS - 1);
      assertThat(ledger.findCustomer("acme", id).result().orElseThrow().version())
          .isEqualTo(THREADS);
    }
  }

  @Test
  void ofAnyNumberOfConditionalPutsAtATimeOneIsTaken() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      String id = "c" + round;
      assertThat(race(id, "first ", ifNoneMatch(new Any())))
          .filteredOn(it -> it instanceof Created)
          .hasSize(1);
      assertThat(race(id, "second ", ifMatch(versions(1))))
          .filteredOn(it -> it instanceof Stored)
          .hasSize(1);
      assertThat(ledger.findCustomer("acme", id).result().orElseThrow().version()).isEqualTo(2);
    }
  }

  private List<CustomerPut.Result> race(String id, String prefix, Precondition condition)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      CyclicBarrier start = new CyclicBarrier(THREADS);
      List<Future<CustomerPut.Result>> racing = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        String name = prefix + i;
        racing.add(
            threads.submit(
                () -> {
                  start.await();
                  return put(id, name, condition, 10);
                }));
      }
      List<CustomerPut.Result> results = new ArrayList<>();
      for (Future<CustomerPut.Result> one : racing) {
        results.add(one.get());
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }

  private CustomerPut.Result put(String id, String name, Precondition condition, long at) {
    return ledger
        .putCustomer(
            new CustomerPut("acme", id, Optional.of(name), Optional.empty(), condition, at))
        .result();
  }

  private static Precondition ifMatch(Versions versions) {
    return new Precondition(Optional.of(versions), Optional.empty());
  }

  private static Precondition ifNoneMatch(Versions versions) {
    return new Precondition(Optional.empty(), Optional.of(versions));
  }

  private static Versions versions(long... versions) {
    return new OneOf(LongStream.of(versions).boxed().collect(Collectors.toSet()));
  }
}
