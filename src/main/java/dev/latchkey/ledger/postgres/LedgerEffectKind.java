package dev.latchkey.ledger.postgres;

import dev.latchkey.core.spi.Effect;
import dev.latchkey.ledger.LedgerEffect;
import dev.latchkey.store.postgres.effect.PostgresEffectKind;
import java.util.List;
import java.util.function.Function;

/**
 * How one kind of {@link LedgerEffect} is written.
 *
 * @param <E> the effect
 */
final class LedgerEffectKind<E extends LedgerEffect> implements PostgresEffectKind {

  /**
   * One value of an effect.
   *
   * @param column its column in the input of the statement
   * @param value reads it from the effect, possibly null
   */
  record Field<E>(Column column, Function<E, Object> value) {

    static <E> Field<E> text(String name, Function<E, Object> value) {
      return new Field<>(new Column(name, "text"), value);
    }

    static <E> Field<E> number(String name, Function<E, Object> value) {
      return new Field<>(new Column(name, "bigint"), value);
    }

    static <E> Field<E> flag(String name, Function<E, Object> value) {
      return new Field<>(new Column(name, "boolean"), value);
    }
  }

  private final String name;
  private final Class<E> type;
  private final Function<E, String> row;
  private final List<Field<E>> fields;
  private final List<Column> columns;
  private final String ctes;

  LedgerEffectKind(
      String name, Class<E> type, Function<E, String> row, List<Field<E>> fields, String ctes) {
    this.name = name;
    this.type = type;
    this.row = row;
    this.fields = List.copyOf(fields);
    this.columns = fields.stream().map(Field::column).toList();
    this.ctes = ctes;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<Column> columns() {
    return columns;
  }

  @Override
  public Object[] values(Effect effect) {
    E ours = type.cast(effect);
    return fields.stream().map(field -> field.value().apply(ours)).toArray();
  }

  @Override
  public String row(Effect effect) {
    return row.apply(type.cast(effect));
  }

  @Override
  public String ctes() {
    return ctes;
  }
}
