package dev.latchkey.ledger.postgres;

import dev.latchkey.core.spi.Effect;
import dev.latchkey.store.postgres.effect.PostgresEffectKind;
import dev.latchkey.store.postgres.effect.PostgresEffectKind.Column;
import dev.latchkey.store.postgres.effect.PostgresEffectKinds;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Composes effects of all kinds into one statement, as a store does behind its completions, and
 * answers which of them applied, by place.
 */
record EffectStatement(String sql, Tuple parameters) {

  private static final PostgresEffectKinds KINDS = new PostgresEffects();

  static EffectStatement of(List<? extends Effect> effects) {
    Map<PostgresEffectKind, List<Integer>> byKind = new LinkedHashMap<>();
    for (int i = 0; i < effects.size(); i++) {
      PostgresEffectKind kind = KINDS.kindOf(effects.get(i)).orElseThrow();
      byKind.computeIfAbsent(kind, it -> new ArrayList<>()).add(i);
    }
    Tuple parameters = Tuple.tuple();
    List<String> ctes = new ArrayList<>();
    List<String> applied = new ArrayList<>();
    byKind.forEach(
        (kind, ords) -> {
          ctes.add(input(kind, ords, effects, parameters) + ", " + kind.ctes());
          applied.add("SELECT ord FROM " + kind.name() + "_applied");
        });
    return new EffectStatement(
        "WITH " + String.join(", ", ctes) + " " + String.join(" UNION ALL ", applied), parameters);
  }

  private static String input(
      PostgresEffectKind kind,
      List<Integer> ords,
      List<? extends Effect> effects,
      Tuple parameters) {
    List<String> names = new ArrayList<>(List.of("ord"));
    List<String> arrays = new ArrayList<>();
    parameters.addArrayOfInteger(ords.toArray(new Integer[0]));
    arrays.add("$" + parameters.size() + "::int4[]");
    List<Object[]> rows = ords.stream().map(ord -> kind.values(effects.get(ord))).toList();
    for (int c = 0; c < kind.columns().size(); c++) {
      Column column = kind.columns().get(c);
      int place = c;
      add(parameters, column.type(), rows.stream().map(row -> row[place]).toArray());
      names.add(column.name());
      arrays.add("$" + parameters.size() + "::" + column.type() + "[]");
    }
    return "%s_input(%s) AS (SELECT * FROM unnest(%s))"
        .formatted(kind.name(), String.join(", ", names), String.join(", ", arrays));
  }

  private static void add(Tuple parameters, String type, Object[] values) {
    switch (type) {
      case "text" -> parameters.addArrayOfString(copy(values, new String[values.length]));
      case "bigint" -> parameters.addArrayOfLong(copy(values, new Long[values.length]));
      case "boolean" -> parameters.addArrayOfBoolean(copy(values, new Boolean[values.length]));
      default -> throw new AssertionError("type " + type + " is not known to the tests");
    }
  }

  private static <T> T[] copy(Object[] values, T[] into) {
    System.arraycopy(values, 0, into, 0, values.length);
    return into;
  }

  /** Runs it and answers the places of the effects that applied. */
  Future<Set<Integer>> run(SqlClient client) {
    return client
        .preparedQuery(sql)
        .execute(parameters)
        .map(
            rows -> {
              List<Integer> ords = new ArrayList<>();
              rows.forEach(row -> ords.add(row.getInteger(0)));
              Set<Integer> applied = ords.stream().collect(Collectors.toCollection(TreeSet::new));
              if (applied.size() != ords.size()) {
                throw new AssertionError("an effect applied twice: " + ords);
              }
              return applied;
            });
  }
}
