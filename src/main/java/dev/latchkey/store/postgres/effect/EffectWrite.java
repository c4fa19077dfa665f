package dev.latchkey.store.postgres.effect;

import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.store.postgres.connection.Failures;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An effect, checked and ready to be written.
 *
 * @param name of the effect
 * @param kind how it is written
 * @param row the business row that it changes
 * @param values one for each column
 */
public record EffectWrite(
    String name, PostgresEffectKind kind, String row, List<@Nullable Object> values) {

  /** Refuses effects if the store does not know one of them. */
  public static Optional<EffectRefused> refusal(PostgresEffectKinds kinds, List<Effect> effects) {
    return effects.stream()
        .filter(it -> kinds.kindOf(it).isEmpty())
        .findFirst()
        .map(
            it ->
                new EffectRefused(
                    it.name(), "this store knows no effect " + it.getClass().getName()));
  }

  /**
   * Checks effects that the store knows. The driver would detect an invalid value only after other
   * statements of a transaction have been sent.
   *
   * @throws dev.latchkey.core.spi.StoreException if the application describes one of them wrongly
   */
  public static List<EffectWrite> all(PostgresEffectKinds kinds, List<Effect> effects) {
    return effects.stream().map(it -> of(kinds.kindOf(it).orElseThrow(), it)).toList();
  }

  private static EffectWrite of(PostgresEffectKind kind, Effect effect) {
    try {
      Object[] values = kind.values(effect);
      ColumnType.check(kind, values);
      return new EffectWrite(effect.name(), kind, kind.row(effect), Arrays.asList(values));
    } catch (RuntimeException invalid) {
      throw Failures.permanent("effect " + effect.name() + " cannot be written: " + invalid);
    }
  }
}
