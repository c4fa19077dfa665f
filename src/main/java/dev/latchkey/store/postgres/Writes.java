package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Effect;
import dev.latchkey.store.postgres.Completion.Write;
import java.util.List;
import java.util.Optional;

/**
 * The effects of one completion.
 *
 * @param known how they are written, in order
 * @param unknown the first that is to be refused since nobody knows how to write it
 */
record Writes(List<Write> known, Optional<Effect> unknown) {

  static Writes of(EffectKinds kinds, List<Effect> effects) {
    return new Writes(
        effects.stream()
            .flatMap(it -> kinds.kindOf(it).map(kind -> new Write(it, kind)).stream())
            .toList(),
        effects.stream().filter(it -> kinds.kindOf(it).isEmpty()).findFirst());
  }

  static String sayUnknown(Effect effect) {
    return "this store knows no effect " + effect.getClass().getName();
  }
}
