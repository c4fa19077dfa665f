package dev.latchkey.store.memory;

import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Effect;
import java.util.List;
import java.util.Optional;

/**
 * Where the memory store writes the effects of a completion: the application's own state in memory.
 * Called on any thread, while the record is locked; must be quick and must not call the store.
 */
@FunctionalInterface
public interface EffectTarget {

  /** Knows no effects: refuses them all. */
  EffectTarget NONE =
      effects ->
          effects.stream()
              .findFirst()
              .map(effect -> new EffectRefused(effect.name(), "this store applies no effects"));

  /**
   * Applies all effects in order, atomically: all or none.
   *
   * @param effects what to write, possibly empty
   * @return empty when all were applied; else the first that does not apply, and then nothing was
   *     written
   */
  Optional<EffectRefused> apply(List<Effect> effects);
}
