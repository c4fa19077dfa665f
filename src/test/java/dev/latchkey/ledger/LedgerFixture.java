package dev.latchkey.ledger;

import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Effect;
import java.util.List;
import java.util.Optional;

/** What {@link LedgerContractTest} needs of a ledger. */
public interface LedgerFixture extends AutoCloseable {

  /** The ledger under test, empty at first. */
  Ledger ledger();

  /**
   * Applies effects in one commit, as the store does that completes a key: all, or none and the
   * first that does not apply. Called by several threads at once.
   */
  Optional<EffectRefused> apply(List<Effect> effects);

  /** How often a race is run: many times where it is cheap. */
  int rounds();

  @Override
  default void close() {}
}
