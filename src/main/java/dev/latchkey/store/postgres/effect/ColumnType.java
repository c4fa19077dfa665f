package dev.latchkey.store.postgres.effect;

import dev.latchkey.store.postgres.effect.PostgresEffectKind.Column;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The Java types of the values of columns. */
final class ColumnType {

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

  private ColumnType() {}

  /**
   * Checks the values of one effect.
   *
   * @throws IllegalArgumentException if they do not fit the columns
   */
  static void check(PostgresEffectKind kind, Object[] values) {
    List<Column> columns = kind.columns();
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
  }

  private static @Nullable Class<?> known(Column column) {
    Class<?> asWritten = TYPES.get(column.type());
    return asWritten != null ? asWritten : TYPES.get(column.type().toLowerCase(Locale.ROOT));
  }

  /** Returns one array for each column, with null for a call without effect. */
  static List<Object[]> arrays(PostgresEffectKind kind, List<Optional<EffectWrite>> writes) {
    List<Object[]> arrays = new ArrayList<>();
    for (Column column : kind.columns()) {
      int place = arrays.size();
      Object[] values =
          writes.stream()
              .map(it -> it.map(write -> write.values().get(place)).orElse(null))
              .toArray();
      arrays.add(Arrays.copyOf(values, values.length, arrayType(column, values)));
    }
    return arrays;
  }

  private static Class<? extends Object[]> arrayType(Column column, Object[] values) {
    Class<?> known = known(column);
    Class<?> type =
        known != null
            ? known
            : Stream.of(values)
                .filter(Objects::nonNull)
                .findFirst()
                .<Class<?>>map(Object::getClass)
                .orElse(String.class);
    return type.arrayType().asSubclass(Object[].class);
  }
}
