package dev.latchkey.ledger;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import dev.latchkey.store.Race;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/** What every group of cases stands on. */
public interface LedgerContract {

  /** How many contend in a race. */
  int CONTENDERS = 8;

  /** The ledger of this test; opened before it and closed after it. */
  LedgerFixture books();

  default Payment booked(Payment payment) {
    assertApplied(new InsertPayment(payment));
    return payment;
  }

  default Payment read(String id) {
    return await(books().ledger().findPayment("acme", id)).orElseThrow();
  }

  default List<Balance> balance(String tenant) {
    return await(books().ledger().balance(tenant));
  }

  default Optional<EffectRefused> apply(Effect... effects) {
    return books().apply(List.of(effects));
  }

  default void assertApplied(Effect... effects) {
    assertThat(apply(effects)).isEmpty();
  }

  default EffectRefused assertRefused(Effect... effects) {
    Optional<EffectRefused> refused = apply(effects);
    assertThat(refused).isPresent();
    return refused.get();
  }

  /** Lets all contenders do their part at once, and returns what each got. */
  default <T> List<T> race(IntFunction<T> contender) {
    try (Race race = new Race(CONTENDERS)) {
      return race.run(contender);
    }
  }

  /** Applies one effect per contender at once, and counts how many were taken. */
  default long appliedOf(IntFunction<Effect> effect) {
    return race(contender -> apply(effect.apply(contender))).stream()
        .filter(Optional::isEmpty)
        .count();
  }
}
