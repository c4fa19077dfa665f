package dev.latchkey.store.postgres;

import dev.latchkey.store.postgres.EffectKind.Column;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A statement that ends many calls at once, and its forms with the effects of one kind. Every
 * effect selects from {@code done}, the rows of the calls that the statement did end, so that the
 * server decides; how many rows each effect touched is checked there too. Immutable.
 */
final class EffectSql {

  private final String template;
  private final int firstEffectParameter;
  private final String withoutEffects;

  /**
   * Makes the statement.
   *
   * @param template with places for 1 the expressions that write and 2 the check, a column of the
   *     result; its {@code done} has the place of each call in the arrays as {@code ord}
   * @param parameters how many parameters it has without effects
   */
  EffectSql(String template, int parameters) {
    this.template = template;
    // The first array says which calls have an effect.
    firstEffectParameter = parameters + 2;
    withoutEffects = template.formatted("", "");
  }

  /** The arrays of the calls alone. */
  String withoutEffects() {
    return withoutEffects;
  }

  /**
   * The arrays of the calls, whether each has an effect, then the columns of the effects. The input
   * is put together anew by each expression that reads it, and of no more columns than that reads.
   */
  String with(EffectKind kind) {
    List<Column> columns = kind.columns();
    String values =
        IntStream.range(0, columns.size())
            .mapToObj(i -> value(firstEffectParameter + i, columns.get(i)))
            .collect(Collectors.joining(", "));
    String input =
        """
        , %s_input(ord, %s) AS NOT MATERIALIZED (
          SELECT d.ord, %s
          FROM (SELECT ord FROM done WHERE ($%d::boolean[])[ord] ORDER BY ord) d
        ),
        %s"""
            .formatted(kind.name(), names(columns), values, firstEffectParameter - 1, kind.ctes());
    return template.formatted(input, ",\n  " + check(kind));
  }

  private static String value(int parameter, Column column) {
    return "($" + parameter + "::" + column.type() + "[])[d.ord]";
  }

  private static String names(List<Column> columns) {
    return columns.stream().map(Column::name).collect(Collectors.joining(", "));
  }

  private static String check(EffectKind kind) {
    String name = kind.name();
    return "CASE WHEN (SELECT count(*) FROM %s_applied) < (SELECT count(*) FROM %s_input)"
            .formatted(name, name)
        + " THEN latchkey_refuse('%s') END AS refused".formatted(name);
  }

  /** Writes one effect by itself, inside a transaction that holds the key. */
  static String alone(EffectKind kind) {
    List<Column> columns = kind.columns();
    String values =
        IntStream.range(0, columns.size())
            .mapToObj(i -> "$" + (i + 1) + "::" + columns.get(i).type())
            .collect(Collectors.joining(", "));
    return "WITH %s_input(ord, %s) AS MATERIALIZED (\n  SELECT 1::bigint, %s\n),\n%s\nSELECT %s"
        .formatted(kind.name(), names(columns), values, kind.ctes(), check(kind));
  }
}
