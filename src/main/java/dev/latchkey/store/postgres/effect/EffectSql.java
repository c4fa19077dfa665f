package dev.latchkey.store.postgres.effect;

import dev.latchkey.store.postgres.effect.PostgresEffectKind.Column;
import dev.latchkey.store.postgres.sql.KeySql;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A statement that ends calls, and its forms with the effects of one kind. Every effect selects
 * from {@code done}, the rows of the calls that the statement ended, so that the server decides.
 * The server also checks how many rows each effect changed. Immutable.
 */
public final class EffectSql {

  private final String template;
  private final boolean many;
  private final int firstEffectParameter;
  private final String withoutEffects;

  private EffectSql(String template, int parameters, boolean many) {
    this.template = template;
    this.many = many;
    // Of many calls, the first array says which have an effect.
    firstEffectParameter = parameters + (many ? 2 : 1);
    withoutEffects = template.formatted("", "");
  }

  /**
   * Makes a statement for many calls.
   *
   * @param template has places for 1 the expressions that write and 2 the check, a column of the
   *     result; {@code ord} of its {@code done} is the index of each call in the arrays
   * @param parameters number of parameters without effects, each an array
   */
  public static EffectSql ofMany(String template, int parameters) {
    return new EffectSql(template, parameters, true);
  }

  /** As {@link #ofMany}, for one call, with parameters that are not arrays. */
  public static EffectSql ofOne(String template, int parameters) {
    return new EffectSql(template, parameters, false);
  }

  /** Returns the statement with the parameters of the calls only. */
  public String withoutEffects() {
    return withoutEffects;
  }

  /**
   * Returns the statement with effects. Parameters: those of the calls, for many calls whether each
   * has an effect, then the columns of the effects. The input is not materialized, so that each
   * expression builds only the columns that it reads.
   */
  public String with(PostgresEffectKind kind) {
    List<Column> columns = kind.columns();
    String values =
        IntStream.range(0, columns.size())
            .mapToObj(i -> value(firstEffectParameter + i, columns.get(i)))
            .collect(Collectors.joining(", "));
    String input =
        """
        , %s_input(ord, %s) AS NOT MATERIALIZED (
          SELECT d.ord, %s
          FROM %s d
        ),
        %s"""
            .formatted(kind.name(), names(columns), values, source(), kind.ctes());
    return template.formatted(input, ",\n  " + (many ? checkOfMany(kind) : checkOfOne(kind)));
  }

  private String source() {
    return many
        ? "(SELECT ord FROM done WHERE ($%d::boolean[])[ord] ORDER BY ord)"
            .formatted(firstEffectParameter - 1)
        : "done";
  }

  private String value(int parameter, Column column) {
    return many
        ? "($" + parameter + "::" + column.type() + "[])[d.ord]"
        : "$" + parameter + "::" + column.type();
  }

  private static String names(List<Column> columns) {
    return columns.stream().map(Column::name).collect(Collectors.joining(", "));
  }

  private static String checkOfMany(PostgresEffectKind kind) {
    String name = kind.name();
    return "CASE WHEN (SELECT count(*) FROM %s_applied) < (SELECT count(*) FROM %s_input)"
            .formatted(name, name)
        + " THEN latchkey_refuse('%s') END AS refused".formatted(name);
  }

  private static String checkOfOne(PostgresEffectKind kind) {
    return "CASE WHEN " + refusal(kind) + " END AS refused";
  }

  private static String refusal(PostgresEffectKind kind) {
    return "NOT EXISTS (SELECT FROM %s_applied) THEN latchkey_refuse('%s')"
        .formatted(kind.name(), kind.name());
  }

  /** Returns the statement that writes one effect in a transaction that holds the key. */
  public static String alone(PostgresEffectKind kind) {
    List<Column> columns = kind.columns();
    String values =
        IntStream.range(0, columns.size())
            .mapToObj(i -> "$" + (i + 1) + "::" + columns.get(i).type())
            .collect(Collectors.joining(", "));
    return """
        WITH %s_input(ord, %s) AS MATERIALIZED (
          SELECT 1::bigint, %s
        ),
        %s
        SELECT CASE WHEN NOT %s THEN latchkey_lost() WHEN %s END AS refused
        """
        .formatted(
            kind.name(), names(columns), values, kind.ctes(), KeySql.LOCKED_HERE, refusal(kind));
  }
}
