package dev.latchkey.store.postgres.sql;

/**
 * The statements that complete and release keys. The compare-and-set happens inside the server:
 * rows are locked in key order by their token, and every effect selects from the RETURNING of the
 * completion. A row that changed while the statement waited for it is not found at its ctid by the
 * statement's snapshot; its completion is sent again.
 *
 * <p>{@code COMPLETE} and {@code COMPLETE_ONE} are format strings with places for the expressions
 * of the effects and for their check.
 */
public final class CompleteSql {

  /** A column that notifies if another node waits; {@code d} is the changed row. */
  static final String NOTIFY =
      """
      CASE WHEN d.awaited THEN
          pg_notify('latchkey', json_build_array(d.tenant, d.route, d.key)::text)::text
        END AS notified\
      """;

  /**
   * Completes many keys. Parameters: arrays of tenant, key, route, token, lease and response. The
   * subqueries pass on only which call a row belongs to and take values from the arrays where they
   * are needed, since copying rows costs more.
   */
  public static final String COMPLETE =
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
          + "%2$s\nFROM done d\n";

  /**
   * Completes one key. Parameters: tenant, key, route, token, lease and response. The server checks
   * a row again that changed while the statement waited for it.
   */
  public static final String COMPLETE_ONE =
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
          + "%2$s\nFROM done d\n";

  /** Releases many keys. Parameters: arrays of tenant, key, route and token. */
  public static final String RELEASE =
      """
      WITH held AS MATERIALIZED (
        SELECT i.ord, k.place
        FROM (
          SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) WITH ORDINALITY
            AS i(tenant, key, route, token, ord)
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
        UPDATE latchkey_key k SET phase = 2, lease_until_millis = latchkey_now()
        FROM held h
        WHERE k.ctid = h.place
        RETURNING h.ord, k.tenant, k.key, k.route, k.awaited
      )
      SELECT d.ord,
        %s
      FROM done d
      """
          .formatted(NOTIFY);

  /**
   * Reads the rows of keys that a statement did not end: the live ones, and those that the same
   * token completed, however long ago. Parameters: arrays of tenant, key, route and token.
   */
  public static final String STATES =
      """
      SELECT i.ord, k.phase, k.token, k.expires_at_millis, latchkey_now() AS now
      FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) WITH ORDINALITY
        AS i(tenant, key, route, token, ord)
      CROSS JOIN LATERAL (SELECT * FROM latchkey_key k
        WHERE k.tenant = i.tenant AND k.key = i.key AND k.route = i.route
          AND (greatest(k.expires_at_millis, k.lease_until_millis) > latchkey_now()
            OR k.token = i.token AND k.phase = 1) OFFSET 0) k
      """;

  private CompleteSql() {}
}
