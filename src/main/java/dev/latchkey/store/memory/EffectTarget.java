package dev.latchkey.store.memory;

import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Effect;
import java.util.List;
import java.util.Optional;

/**
 * Applies the effects of completions to the application's own state in memory. Called on any thread
 * while the store is locked: it must be quick and must not call the store.
 */
@FunctionalInterface
public interface EffectTarget {

  /** Refuses every effect. */
  EffectTarget NONE =
      effects ->
          effects.stream()
              .findFirst()
              .map(effect -> new EffectRefused(effect.name(), "this store applies no effects"));

  /**
   * Applies all effects in order, atomically: all or none.
   *
   * @param effects may be empty
   * @return empty if all were applied; otherwise the first that does not apply, and nothing was
   *     written
   */
  Optional<EffectRefused> apply(List<Effect> effects);
}
