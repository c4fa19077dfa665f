package dev.latchkey.store.postgres.effect;

import dev.latchkey.core.spi.Effect;
import java.util.Optional;

/** The effects that a Postgres store can write. Stateless; called on any thread. */
@FunctionalInterface
public interface PostgresEffectKinds {

  /** Refuses all effects. */
  PostgresEffectKinds NONE = effect -> Optional.empty();

  /**
   * Finds how an effect is written.
   *
   * @return its kind, the same one for all effects that are written alike; empty if the effect is
   *     refused
   */
  Optional<PostgresEffectKind> kindOf(Effect effect);
}
