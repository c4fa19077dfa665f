package dev.latchkey.ledger;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.ledger.CustomerPut.ConditionFailed;
import dev.latchkey.ledger.CustomerPut.Created;
import dev.latchkey.ledger.CustomerPut.Stored;
import dev.latchkey.ledger.Precondition.Any;
import dev.latchkey.ledger.Precondition.OneOf;
import dev.latchkey.ledger.Precondition.Versions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Customers are made and replaced under preconditions. */
public interface CustomerContract extends LedgerContract {

  @Test
  default void isMadeOnceAndReplacedFromThenOn() {
    Customer first = new Customer("acme", "c", Optional.of("Ann"), Optional.empty(), 10, 10, 1);
    assertThat(put("c", "Ann", Precondition.NONE, 10)).isEqualTo(new Created(first));

    CustomerPut.Result second = put("c", "Bea", Precondition.NONE, 20);

    Customer then = new Customer("acme", "c", Optional.of("Bea"), Optional.empty(), 10, 20, 2);
    assertThat(second).isEqualTo(new Stored(then));
    assertThat(customer("c")).contains(then);
    assertThat(await(books().ledger().findCustomer("other", "c"))).isEmpty();
    assertThat(customer("d")).isEmpty();
  }

  @Test
  default void theSamePutAgainChangesNothing() {
    put("c", "Ann", Precondition.NONE, 10);
    Customer before = customer("c").orElseThrow();

    assertThat(put("c", "Ann", Precondition.NONE, 20)).isEqualTo(new Stored(before));
    assertThat(customer("c")).contains(before);
  }

  @Test
  default void textsComeAndGo() {
    CustomerPut all =
        new CustomerPut(
            "acme", "ü/ %", Optional.of("Zoë"), Optional.of("z@x"), Precondition.NONE, 1);
    CustomerPut none =
        new CustomerPut("acme", "ü/ %", Optional.empty(), Optional.empty(), Precondition.NONE, 2);

    assertThat(put(all)).isEqualTo(new Created(all.first()));
    assertThat(put(none)).isEqualTo(new Stored(none.over(all.first())));
    assertThat(put(none)).isEqualTo(new Stored(none.over(all.first())));
  }

  @Test
  default void timeNeverGoesBack() {
    put("c", "Ann", Precondition.NONE, 10);
    put("c", "Bea", Precondition.NONE, 5);

    assertThat(customer("c").orElseThrow().updatedAtEpochMillis()).isEqualTo(10);
  }

  @Test
  default void conditionsDecideBeforeAnythingIsWritten() {
    Versions any = new Any();
    assertThat(put("c", "Ann", ifMatch(any), 10)).isEqualTo(new ConditionFailed());
    assertThat(put("c", "Ann", ifMatch(versions(1)), 10)).isEqualTo(new ConditionFailed());
    assertThat(customer("c")).isEmpty();

    assertThat(put("c", "Ann", ifNoneMatch(any), 10)).isInstanceOf(Created.class);
    assertThat(put("c", "Bea", ifNoneMatch(any), 20)).isEqualTo(new ConditionFailed());
    assertThat(put("c", "Bea", ifNoneMatch(versions(1)), 20)).isEqualTo(new ConditionFailed());
    assertThat(put("c", "Bea", ifMatch(versions(2)), 20)).isEqualTo(new ConditionFailed());
    assertThat(put("c", "Bea", ifMatch(versions()), 20)).isEqualTo(new ConditionFailed());

    assertThat(put("c", "Bea", ifMatch(versions(1, 7)), 20)).isInstanceOf(Stored.class);
    assertThat(put("c", "Cleo", ifMatch(any), 30)).isInstanceOf(Stored.class);
    assertThat(put("c", "Dora", ifNoneMatch(versions(1, 2)), 40)).isInstanceOf(Stored.class);
    assertThat(customer("c").orElseThrow().version()).isEqualTo(4);
  }

  @Test
  default void ofAnyNumberOfPutsAtATimeOneMakesTheCustomer() {
    for (int round = 0; round < books().rounds(); round++) {
      String id = "c" + round;
      List<CustomerPut.Result> results =
          race(contender -> put(id, "name " + contender, Precondition.NONE, 10));

      assertThat(results).filteredOn(it -> it instanceof Created).hasSize(1);
      assertThat(results).filteredOn(it -> it instanceof Stored).hasSize(CONTENDERS - 1);
      assertThat(customer(id).orElseThrow().version()).isEqualTo(CONTENDERS);
    }
  }

  @Test
  default void ofAnyNumberOfConditionalPutsAtATimeOneIsTaken() {
    for (int round = 0; round < books().rounds(); round++) {
      String id = "c" + round;
      assertThat(race(contender -> put(id, "first " + contender, ifNoneMatch(new Any()), 10)))
          .filteredOn(it -> it instanceof Created)
          .hasSize(1);
      assertThat(race(contender -> put(id, "second " + contender, ifMatch(versions(1)), 10)))
          .filteredOn(it -> it instanceof Stored)
          .hasSize(1);
      assertThat(customer(id).orElseThrow().version()).isEqualTo(2);
    }
  }

  private Optional<Customer> customer(String id) {
    return await(books().ledger().findCustomer("acme", id));
  }

  private CustomerPut.Result put(String id, String name, Precondition condition, long at) {
    return put(new CustomerPut("acme", id, Optional.of(name), Optional.empty(), condition, at));
  }

  private CustomerPut.Result put(CustomerPut put) {
    return await(books().ledger().putCustomer(put));
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
