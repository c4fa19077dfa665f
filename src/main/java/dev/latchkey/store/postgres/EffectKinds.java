package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Effect;
import java.util.Optional;

/** What a Postgres store can write with a completion. Called on any thread; stateless. */
@FunctionalInterface
public interface EffectKinds {

  /** Knows no effects: all are refused. */
  EffectKinds NONE = effect -> Optional.empty();

  /**
   * Finds how an effect is written.
   *
   * @param effect any effect
   * @return its kind, the same one for all effects that are written alike; empty for an effect that
   *     is to be refused
   */
  Optional<EffectKind> kindOf(Effect effect);
}
