package dev.latchkey.store.postgres;

import dev.latchkey.store.postgres.EffectKind.Column;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The statements that complete keys. The compare-and-set is inside the server: rows are locked in
 * key order by their token, and every effect selects from the RETURNING of the completion. A row
 * that changed while it was waited for is not at its place any more for the statement's snapshot:
 * its completion is sent again.
 */
final class CompleteSql {

  /** The first array of an effect's columns, after those of the completions. */
  private static final int FIRST_EFFECT_PARAMETER = 8;

  static final String NOTIFY =
      """
      CASE WHEN d.awaited THEN
          pg_notify('latchkey', json_build_array(d.tenant, d.route, d.key)::text)::text
        END AS notified\
      """;

  /** Arrays of tenant, key, route, token, lease and response. */
  static final String WITHOUT_EFFECTS = statement("", "", "", "", "");

  /** What is left of keys that were not completed: arrays of tenant, key and route. */
  static final String LEFT =
      """
      SELECT i.ord, k.phase, k.token, k.expires_at_millis, latchkey_now() AS now
      FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS i(tenant, key, route, ord)
      CROSS JOIN LATERAL (SELECT * FROM latchkey_key k
        WHERE k.tenant = i.tenant AND k.key = i.key AND k.route = i.route
          AND greatest(k.expires_at_millis, k.lease_until_millis) > latchkey_now() OFFSET 0) k
      """;

  private CompleteSql() {}

  /**
   * As {@link #WITHOUT_EFFECTS}, then whether a completion has an effect, then the effects'
   * columns.
   */
  static String with(EffectKind kind) {
    List<Column> columns = kind.columns();
    String arrays =
        IntStream.range(0, columns.size())
            .mapToObj(i -> "$" + (FIRST_EFFECT_PARAMETER + i) + "::" + columns.get(i).type() + "[]")
            .collect(Collectors.joining(", ", ", $7::boolean[], ", ""));
    String names = numbered(columns, "", ", effect, ");
    String held = numbered(columns, "h.", ", h.effect, ");
    String input =
        ", %s_input(ord, %s) AS MATERIALIZED (\n  SELECT d.ord, %s FROM done d WHERE d.effect\n),\n%s"
            .formatted(
                kind.name(),
                columns.stream().map(Column::name).collect(Collectors.joining(", ")),
                numbered(columns, "d.", ""),
                kind.ctes());
    return statement(arrays, names, held, input, ",\n  " + check(kind));
  }

  private static String numbered(List<Column> columns, String alias, String prefix) {
    return IntStream.range(0, columns.size())
        .mapToObj(i -> alias + "effect_" + i)
        .collect(Collectors.joining(", ", prefix, ""));
  }

  private static String check(EffectKind kind) {
    String name = kind.name();
    return "CASE WHEN (SELECT count(*) FROM %s_applied) < (SELECT count(*) FROM %s_input)"
            .formatted(name, name)
        + " THEN latchkey_refuse('%s') END AS refused".formatted(name);
  }

  private static String statement(
      String arrays, String names, String held, String effects, String check) {
    return """
        WITH held AS MATERIALIZED (
          SELECT i.*, k.place, latchkey_now() AS now
          FROM (
            SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::bigint[],
              $6::bytea[]%s) WITH ORDINALITY
              AS i(tenant, key, route, token, lease, response%s, ord)
            ORDER BY tenant COLLATE "C", key COLLATE "C", route COLLATE "C"
          ) i
          CROSS JOIN LATERAL (
            SELECT k.ctid AS place FROM latchkey_key k
            WHERE k.tenant = i.tenant AND k.key = i.key AND k.route = i.route
              AND k.token = i.token AND k.phase = 0
              AND greatest(k.expires_at_millis, k.lease_until_millis) > latchkey_now()
            FOR NO KEY UPDATE
          ) k
        ), done AS (
          UPDATE latchkey_key k SET phase = 1, response = h.response, lease_until_millis = h.now,
            expires_at_millis = CASE WHEN k.expires_at_millis <= h.now THEN h.now + h.lease
              ELSE k.expires_at_millis END
          FROM held h
          WHERE k.ctid = h.place
          RETURNING h.ord, h.now, k.tenant, k.key, k.route, k.expires_at_millis, k.awaited%s
        )%s
        SELECT d.ord, d.now, d.expires_at_millis,
          %s%s
        FROM done d
        """
        .formatted(arrays, names, held, effects, NOTIFY, check);
  }

  /** Writes one effect by itself, inside a transaction that holds the claim. */
  static String alone(EffectKind kind) {
    List<Column> columns = kind.columns();
    String values =
        IntStream.range(0, columns.size())
            .mapToObj(i -> "$" + (i + 1) + "::" + columns.get(i).type())
            .collect(Collectors.joining(", "));
    return "WITH %s_input(ord, %s) AS MATERIALIZED (\n  SELECT 1::bigint, %s\n),\n%s\nSELECT %s"
        .formatted(
            kind.name(),
            columns.stream().map(Column::name).collect(Collectors.joining(", ")),
            values,
            kind.ctes(),
            check(kind));
  }
}
