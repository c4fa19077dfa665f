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

  /** Arrays of tenant, key, route, token, lease and response. */
  static final EffectSql COMPLETE =
      new EffectSql(
          """
          WITH held AS MATERIALIZED (
            SELECT i.*, k.place, latchkey_now() AS now
            FROM (
              SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::bigint[],
                $6::bytea[]%1$s) WITH ORDINALITY
                AS i(tenant, key, route, token, lease, response%2$s, ord)
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
            RETURNING h.ord, h.now, k.tenant, k.key, k.route, k.expires_at_millis, k.awaited%3$s
          )%4$s
          SELECT d.ord, d.now, d.expires_at_millis,
          """
              + NOTIFY
              + "%5$s\nFROM done d\n",
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
