package dev.latchkey.store.postgres.effect;

import dev.latchkey.core.spi.Effect;
import dev.latchkey.store.postgres.effect.PostgresEffectKind.Column;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.lang.reflect.Array;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks the values of effects and converts them to one array for each column. */
public final class EffectValues {

  private static final Map<String, Class<?>> TYPES =
      Map.ofEntries(
          Map.entry("text", String.class),
          Map.entry("varchar", String.class),
          Map.entry("bytea", Buffer.class),
          Map.entry("bigint", Long.class),
          Map.entry("int8", Long.class),
          Map.entry("integer", Integer.class),
          Map.entry("int", Integer.class),
          Map.entry("int4", Integer.class),
          Map.entry("smallint", Short.class),
          Map.entry("boolean", Boolean.class),
          Map.entry("bool", Boolean.class),
          Map.entry("json", Object.class),
          Map.entry("jsonb", Object.class));

  private EffectValues() {}

  /**
   * Returns the values of one effect, checked. The driver would detect an invalid one only after
   * other statements of the transaction have been sent.
   *
   * @throws IllegalArgumentException if they do not fit the columns
   */
  public static Object[] values(PostgresEffectKind kind, Effect effect) {
    List<Column> columns = kind.columns();
    Object[] values = kind.values(effect);
    if (values.length != columns.size()) {
      throw new IllegalArgumentException(
          kind.name() + " has " + columns.size() + " columns, and " + values.length + " values");
    }
    for (int i = 0; i < values.length; i++) {
      Class<?> type = known(columns.get(i));
      if (type != null && values[i] != null && !type.isInstance(values[i])) {
        throw new IllegalArgumentException(
            columns.get(i).name() + " of " + kind.name() + " is no " + type.getSimpleName());
      }
    }
    return values;
  }

  /** Adds one array for each column, with null for a call without effect. */
  static void add(Tuple to, PostgresEffectKind kind, List<Optional<Effect>> effects) {
    List<Column> columns = kind.columns();
    Object[][] rows =
        effects.stream()
            .map(
                it ->
                    it.map(effect -> values(kind, effect))
                        .orElseGet(() -> new Object[columns.size()]))
            .toArray(Object[][]::new);
    for (int column = 0; column < columns.size(); column++) {
      to.addValue(array(columns.get(column), column, rows));
    }
  }

  private static Object[] array(Column column, int index, Object[][] rows) {
    Object[] array = (Object[]) Array.newInstance(type(column, index, rows), rows.length);
    for (int i = 0; i < rows.length; i++) {
      array[i] = rows[i][index];
    }
    return array;
  }

  private static @Nullable Class<?> known(Column column) {
    Class<?> asWritten = TYPES.get(column.type());
    return asWritten != null ? asWritten : TYPES.get(column.type().toLowerCase(Locale.ROOT));
  }

  private static Class<?> type(Column column, int index, Object[][] rows) {
    Class<?> known = known(column);
    if (known != null) {
      return known;
    }
    for (Object[] row : rows) {
      if (Objects.nonNull(row[index])) {
        return row[index].getClass();
      }
    }
    return String.class;
  }
}
