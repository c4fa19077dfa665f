package dev.latchkey.store.postgres.effect;

import dev.latchkey.core.spi.Effect;
import java.util.List;
import java.util.Optional;

/**
 * The effects of one completion.
 *
 * @param known how they are written, in order
 * @param unknown the first effect of a kind that the store does not know
 */
public record EffectWrites(List<EffectWrite> known, Optional<Effect> unknown) {

  /** Finds how effects are written. */
  public static EffectWrites of(PostgresEffectKinds kinds, List<Effect> effects) {
    return new EffectWrites(
        effects.stream()
            .flatMap(it -> kinds.kindOf(it).map(kind -> new EffectWrite(it, kind)).stream())
            .toList(),
        effects.stream().filter(it -> kinds.kindOf(it).isEmpty()).findFirst());
  }

  /** Returns why an unknown effect is refused. */
  public static String unknownDetail(Effect effect) {
    return "this store knows no effect " + effect.getClass().getName();
  }
}
