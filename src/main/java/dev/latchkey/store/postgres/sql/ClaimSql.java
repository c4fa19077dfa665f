package dev.latchkey.store.postgres.sql;

/**
 * The statements that claim keys. Parameters of those for many: arrays of tenant, key, route,
 * fingerprint, token, lease, retention, mode (the name) and member sketch; then whether this commit
 * is synchronous, on or off.
 *
 * <p>A visible row is never inserted, since that would wait for a transaction that has changed it.
 * The result has no row for a key that was neither seen nor inserted, or that changed meanwhile;
 * such a claim is sent again.
 *
 * <p>Rows are found by lateral subqueries and changed by their ctid: the plan of a join with the
 * table, made while the table is empty, would read all of it from then on. The subqueries pass on
 * few columns, as in {@link CompleteSql#COMPLETE}.
 */
public final class ClaimSql {

  /**
   * Claims one unused key; else returns no row. Parameters: tenant, key, route, fingerprint, token,
   * lease, retention and member sketch.
   */
  public static final String FREE =
      """
      INSERT INTO latchkey_key (tenant, key, route, created_at_millis, expires_at_millis,
        lease_until_millis, attempt, steps, phase, taken_over, awaited, fingerprint, token,
        member_sketch)
      SELECT $1::text, $2::text, $3::text, latchkey_now(), latchkey_now() + $7::bigint,
        latchkey_now() + $6::bigint, 1, 0, 0, false, false, $4::bytea, $5::bytea, $8::bytea
      WHERE NOT EXISTS (SELECT FROM latchkey_key
        WHERE tenant = $1::text AND key = $2::text AND route = $3::text)
      ON CONFLICT DO NOTHING
      RETURNING created_at_millis AS now, expires_at_millis
      """;

  /** Reads the rows, in the order in which all statements lock, and judges each claim. */
  private static final String SEEN =
      """
      WITH clock AS MATERIALIZED (
        SELECT latchkey_now() AS now,
          set_config('synchronous_commit', $10::text, true) AS durability
      ), seen AS MATERIALIZED (
        SELECT i.ord, i.tenant, i.key, i.route, c.now, k.phase, k.expires_at_millis, k.attempt,
          k.taken_over, k.steps, k.lease_until_millis, k.token AS seen_token,
          greatest(k.expires_at_millis, k.lease_until_millis) <= c.now AS expired,
          CASE WHEN k.fingerprint <> ($4::bytea[])[i.ord] THEN k.fingerprint END AS first_hash,
          CASE WHEN k.fingerprint <> ($4::bytea[])[i.ord] THEN k.member_sketch END AS first_sketch,
          CASE WHEN k.fingerprint = ($4::bytea[])[i.ord] THEN k.response END AS response,
          CASE
            WHEN k.phase IS NULL THEN 'unused'
            WHEN greatest(k.expires_at_millis, k.lease_until_millis) <= c.now THEN 'claimable'
            WHEN k.fingerprint <> ($4::bytea[])[i.ord] THEN 'mismatch'
            WHEN k.phase = 1 THEN 'completed'
            WHEN k.phase = 0 AND k.token = ($5::bytea[])[i.ord] THEN 'own'
            WHEN k.phase = 0 AND k.lease_until_millis > c.now THEN 'in_flight'
            WHEN k.phase = 0 AND ($8::text[])[i.ord] = 'NO_TAKEOVER' THEN 'lapsed'
            WHEN k.phase = 2 AND k.token = ($5::bytea[])[i.ord] THEN 'withdrawn'
            WHEN k.phase = 2 AND ($8::text[])[i.ord] = 'TAKEOVER' THEN 'released'
            ELSE 'claimable'
          END AS verdict
        FROM clock c
        CROSS JOIN (
          SELECT ord, ($1::text[])[ord] COLLATE "C" AS tenant,
            ($2::text[])[ord] COLLATE "C" AS key, ($3::text[])[ord] COLLATE "C" AS route
          FROM generate_subscripts($1::text[], 1) AS ord
          ORDER BY tenant, key, route
        ) i
        LEFT JOIN LATERAL (SELECT * FROM latchkey_key k
          WHERE k.tenant = i.tenant AND k.key = i.key AND k.route = i.route OFFSET 0) k ON true
      ), fresh AS (
        INSERT INTO latchkey_key (tenant, key, route, created_at_millis, expires_at_millis,
          lease_until_millis, attempt, steps, phase, taken_over, awaited, fingerprint, token,
          member_sketch)
        SELECT s.tenant, s.key, s.route, s.now, s.now + ($7::bigint[])[s.ord],
          s.now + ($6::bigint[])[s.ord], 1, 0, 0, false, false, ($4::bytea[])[s.ord],
          ($5::bytea[])[s.ord], ($9::bytea[])[s.ord]
        FROM (SELECT * FROM seen WHERE verdict = 'unused' ORDER BY tenant, key, route) s
        ON CONFLICT DO NOTHING
        RETURNING token, expires_at_millis
      )""";

  private static final String FRESH =
      """
      SELECT NULL::integer AS ord, f.token, 'claimed' AS verdict, c.now, f.expires_at_millis, 1 AS attempt,
        false AS taken_over, NULL::bigint AS lease_left, NULL::integer AS phase,
        NULL::bytea AS first_hash, NULL::bytea AS first_sketch, NULL::bytea AS response,
        NULL::text[] AS step_names, NULL::bytea[] AS step_results
      FROM fresh f CROSS JOIN clock c
      UNION ALL
      """;

  /**
   * Claims unused keys. Claimable: an existing row may be claimable, or has steps to return; {@link
   * #TAKE} handles it, which costs 50 % more and is rare.
   */
  public static final String CLAIM =
      SEEN
          + "\n"
          + FRESH
          + """
          SELECT s.ord, NULL, CASE WHEN s.verdict = 'own' AND s.steps > 0 THEN 'claimable' ELSE s.verdict END,
            s.now, s.expires_at_millis, s.attempt, s.taken_over, s.lease_until_millis - s.now,
            s.phase, s.first_hash, s.first_sketch, s.response, NULL, NULL
          FROM seen s
          WHERE s.verdict <> 'unused'
          """;

  /**
   * Claims unused keys, and existing rows that are claimable. The latter are locked in key order,
   * skipping rows that other transactions hold, and claimed if they are as they were read,
   * including the number of steps.
   */
  public static final String TAKE =
      SEEN
          + """
          , takeable AS MATERIALIZED (
            SELECT s.ord, s.now, s.expired, s.phase, k.place
            FROM (SELECT * FROM seen WHERE verdict = 'claimable' ORDER BY tenant, key, route) s
            CROSS JOIN LATERAL (
              SELECT k.ctid AS place FROM latchkey_key k
              WHERE k.tenant = s.tenant AND k.key = s.key AND k.route = s.route
                AND k.token = s.seen_token AND k.phase = s.phase
                AND k.lease_until_millis = s.lease_until_millis AND k.steps = s.steps
              FOR UPDATE SKIP LOCKED
            ) k
          ), granted AS (
            UPDATE latchkey_key k SET
              phase = 0,
              token = ($5::bytea[])[t.ord],
              fingerprint = ($4::bytea[])[t.ord],
              lease_until_millis = t.now + ($6::bigint[])[t.ord],
              response = NULL,
              attempt = CASE WHEN t.expired THEN 1 ELSE k.attempt + 1 END,
              taken_over = NOT t.expired AND t.phase = 0,
              awaited = k.awaited AND NOT t.expired AND t.phase = 0,
              steps = CASE WHEN t.expired THEN 0 ELSE k.steps END,
              member_sketch = CASE WHEN t.expired THEN ($9::bytea[])[t.ord]
                ELSE k.member_sketch END,
              created_at_millis = CASE WHEN t.expired THEN t.now ELSE k.created_at_millis END,
              expires_at_millis = CASE WHEN t.expired THEN t.now + ($7::bigint[])[t.ord]
                ELSE k.expires_at_millis END
            FROM takeable t
            WHERE k.ctid = t.place
            RETURNING t.ord, t.now, t.expired, k.tenant, k.key, k.route, k.expires_at_millis,
              k.attempt, k.taken_over, k.steps
          ), gone AS (
            DELETE FROM latchkey_step p USING (
              SELECT o.place FROM granted g
              CROSS JOIN LATERAL (SELECT p.ctid AS place FROM latchkey_step p
                WHERE p.tenant = g.tenant AND p.key = g.key AND p.route = g.route OFFSET 0) o
              WHERE g.expired
            ) old
            WHERE p.ctid = old.place
          )
          """
          + FRESH
          + """
          SELECT g.ord, NULL, 'claimed', g.now, g.expires_at_millis, g.attempt, g.taken_over, NULL, NULL,
            NULL, NULL, NULL,
            CASE WHEN g.steps > 0 THEN (SELECT array_agg(p.name::text ORDER BY p.step)
              FROM latchkey_step p
              WHERE p.tenant = g.tenant AND p.key = g.key AND p.route = g.route) END,
            CASE WHEN g.steps > 0 THEN (SELECT array_agg(p.result ORDER BY p.step)
              FROM latchkey_step p
              WHERE p.tenant = g.tenant AND p.key = g.key AND p.route = g.route) END
          FROM granted g
          UNION ALL
          SELECT s.ord, NULL, s.verdict, s.now, s.expires_at_millis, s.attempt, s.taken_over,
            s.lease_until_millis - s.now, s.phase, s.first_hash, s.first_sketch, s.response,
            CASE WHEN s.verdict = 'own' AND s.steps > 0 THEN (
              SELECT array_agg(p.name::text ORDER BY p.step) FROM latchkey_step p
              WHERE p.tenant = s.tenant AND p.key = s.key AND p.route = s.route) END,
            CASE WHEN s.verdict = 'own' AND s.steps > 0 THEN (
              SELECT array_agg(p.result ORDER BY p.step) FROM latchkey_step p
              WHERE p.tenant = s.tenant AND p.key = s.key AND p.route = s.route) END
          FROM seen s
          WHERE s.verdict NOT IN ('unused', 'claimable')
          """;

  private ClaimSql() {}
}
