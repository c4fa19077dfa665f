package dev.latchkey.store.postgres;

/**
 * The statements that complete keys. The compare-and-set is inside the server: rows are locked in
 * key order by their token, and every effect selects from the RETURNING of the completion. A row
 * that changed while it was waited for is not at its place any more for the statement's snapshot:
 * its completion is sent again.
 */
final class CompleteSql {

  static final String NOTIFY =
      """
      CASE WHEN d.awaited THEN
          pg_notify('latchkey', json_build_array(d.tenant, d.route, d.key)::text)::text
        END AS notified\
      """;

  /**
   * Arrays of tenant, key, route, token, lease and response. Rows carry no more from step to step
   * than says which they are: values are taken out of the arrays where they are needed, since each
   * copy of a row costs more than that.
   */
  static final EffectSql COMPLETE =
      EffectSql.ofMany(
          """
          WITH held AS MATERIALIZED (
            SELECT i.ord, k.place, (SELECT latchkey_now()) AS now
            FROM (
              SELECT ord, ($1::text[])[ord] COLLATE "C" AS tenant,
                ($2::text[])[ord] COLLATE "C" AS key, ($3::text[])[ord] COLLATE "C" AS route
              FROM generate_subscripts($1::text[], 1) AS ord
              ORDER BY tenant, key, route
            ) i
            CROSS JOIN LATERAL (
              SELECT k.ctid AS place FROM latchkey_key k
              WHERE k.tenant = i.tenant AND k.key = i.key AND k.route = i.route
                AND k.token = ($4::bytea[])[i.ord] AND k.phase = 0
                AND greatest(k.expires_at_millis, k.lease_until_millis) > (SELECT latchkey_now())
              FOR NO KEY UPDATE
            ) k
          ), done AS (
            UPDATE latchkey_key k SET phase = 1, response = ($6::bytea[])[h.ord],
              lease_until_millis = h.now,
              expires_at_millis = CASE WHEN k.expires_at_millis <= h.now
                THEN h.now + ($5::bigint[])[h.ord] ELSE k.expires_at_millis END
            FROM held h
            WHERE k.ctid = h.place
            RETURNING h.ord, h.now, k.tenant, k.key, k.route, k.expires_at_millis, k.awaited
          )%1$s
          SELECT d.ord, d.now, d.expires_at_millis,
          """
              + NOTIFY
              + "%2$s\nFROM done d\n",
          6);

  /**
   * The same for one key, found by its primary key: tenant, key, route, token, lease and response.
   * A row that changed while it was waited for is looked at again as it is then.
   */
  static final EffectSql COMPLETE_ONE =
      EffectSql.ofOne(
          """
          WITH done AS (
            UPDATE latchkey_key SET phase = 1, response = $6::bytea,
              lease_until_millis = latchkey_now(),
              expires_at_millis = CASE WHEN expires_at_millis <= latchkey_now()
                THEN latchkey_now() + $5::bigint ELSE expires_at_millis END
            WHERE tenant = $1::text AND key = $2::text AND route = $3::text
              AND token = $4::bytea AND phase = 0
              AND greatest(expires_at_millis, lease_until_millis) > latchkey_now()
            RETURNING 1 AS ord, latchkey_now() AS now, tenant, key, route, expires_at_millis,
              awaited
          )%1$s
          SELECT d.ord, d.now, d.expires_at_millis,
          """
              + NOTIFY
              + "%2$s\nFROM done d\n",
          6);

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
}
