package dev.latchkey.store.postgres;

/** The statement that claims keys. */
final class ClaimSql {

  /**
   * Arrays of tenant, key, route, fingerprint, token, lease, retention, mode (0 arrival, 1
   * takeover, 2 no takeover) and outline; then whether this commit is synchronous, on or off.
   *
   * <p>Rows that are visible are never inserted, since that would wait for whoever has changed
   * them. What may be taken is locked in key order, skipping rows that others hold; taken is what
   * is still as it was seen, steps included. The answer has no row for a key that was neither seen
   * nor made, or that changed meanwhile: such a claim is sent again.
   *
   * <p>Rows are found by lateral subqueries, and changed by their place, since a join with the
   * table planned while it was empty reads all of it for ever after, by the index too.
   */
  static final String CLAIM =
      """
      WITH clock AS MATERIALIZED (
        SELECT latchkey_now() AS now, set_config('synchronous_commit', $10::text, true) AS durability
      ), seen AS MATERIALIZED (
        SELECT i.*, c.now,
          k.phase, k.token AS seen_token, k.lease_until_millis AS seen_lease, k.steps,
          k.expires_at_millis, k.attempt, k.taken_over, k.outline AS seen_outline,
          CASE WHEN k.phase = 1 AND k.fingerprint = i.fingerprint THEN k.response END AS response,
          greatest(k.expires_at_millis, k.lease_until_millis) <= c.now AS expired,
          CASE
            WHEN k.phase IS NULL THEN 0
            WHEN greatest(k.expires_at_millis, k.lease_until_millis) <= c.now THEN 1
            WHEN k.fingerprint <> i.fingerprint THEN 2
            WHEN k.phase = 1 THEN 3
            WHEN k.phase = 0 AND k.token = i.token THEN 4
            WHEN k.phase = 0 AND k.lease_until_millis > c.now THEN 5
            WHEN k.phase = 0 AND i.mode = 2 THEN 6
            WHEN k.phase = 2 AND k.token = i.token THEN 7
            WHEN k.phase = 2 AND i.mode = 1 THEN 8
            ELSE 1
          END AS verdict
        FROM clock c
        CROSS JOIN unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::bytea[],
            $6::bigint[], $7::bigint[], $8::integer[], $9::bytea[]) WITH ORDINALITY
          AS i(tenant, key, route, fingerprint, token, lease, retention, mode, outline, ord)
        LEFT JOIN LATERAL (SELECT * FROM latchkey_key k
          WHERE k.tenant = i.tenant AND k.key = i.key AND k.route = i.route OFFSET 0) k ON true
      ), fresh AS (
        INSERT INTO latchkey_key (tenant, key, route, created_at_millis, expires_at_millis,
          lease_until_millis, attempt, steps, phase, taken_over, awaited, fingerprint, token, outline)
        SELECT s.tenant, s.key, s.route, s.now, s.now + s.retention,
          s.now + s.lease, 1, 0, 0, false, false, s.fingerprint, s.token, s.outline
        FROM seen s
        WHERE s.verdict = 0
        ORDER BY s.tenant COLLATE "C", s.key COLLATE "C", s.route COLLATE "C"
        ON CONFLICT DO NOTHING
        RETURNING token, expires_at_millis
      ), takeable AS MATERIALIZED (
        SELECT s.ord, s.now, s.expired, s.phase, s.fingerprint, s.token, s.lease, s.retention,
          s.outline, k.place
        FROM (
          SELECT * FROM seen WHERE verdict = 1
          ORDER BY tenant COLLATE "C", key COLLATE "C", route COLLATE "C"
        ) s
        CROSS JOIN LATERAL (
          SELECT k.ctid AS place FROM latchkey_key k
          WHERE k.tenant = s.tenant AND k.key = s.key AND k.route = s.route
            AND k.token = s.seen_token AND k.phase = s.phase
            AND k.lease_until_millis = s.seen_lease AND k.steps = s.steps
          FOR UPDATE SKIP LOCKED
        ) k
      ), granted AS (
        UPDATE latchkey_key k SET
          phase = 0,
          token = t.token,
          fingerprint = t.fingerprint,
          lease_until_millis = t.now + t.lease,
          response = NULL,
          attempt = CASE WHEN t.expired THEN 1 ELSE k.attempt + 1 END,
          taken_over = NOT t.expired AND t.phase = 0,
          awaited = k.awaited AND NOT t.expired AND t.phase = 0,
          steps = CASE WHEN t.expired THEN 0 ELSE k.steps END,
          outline = CASE WHEN t.expired THEN t.outline ELSE k.outline END,
          created_at_millis = CASE WHEN t.expired THEN t.now ELSE k.created_at_millis END,
          expires_at_millis =
            CASE WHEN t.expired THEN t.now + t.retention ELSE k.expires_at_millis END
        FROM takeable t
        WHERE k.ctid = t.place
        RETURNING t.ord, t.now, t.expired, k.tenant, k.key, k.route, k.expires_at_millis, k.attempt,
          k.taken_over, k.steps
      ), gone AS (
        DELETE FROM latchkey_step p USING (
          SELECT o.place FROM granted g
          CROSS JOIN LATERAL (SELECT p.ctid AS place FROM latchkey_step p
            WHERE p.tenant = g.tenant AND p.key = g.key AND p.route = g.route OFFSET 0) o
          WHERE g.expired
        ) old
        WHERE p.ctid = old.place
      )
      SELECT NULL::bigint AS ord, f.token, 0 AS verdict, c.now, f.expires_at_millis, 1 AS attempt,
        false AS taken_over, NULL::bigint AS lease_left, NULL::integer AS phase,
        NULL::bytea AS outline, NULL::bytea AS response,
        NULL::text[] AS step_names, NULL::bytea[] AS step_results
      FROM fresh f CROSS JOIN clock c
      UNION ALL
      SELECT g.ord, NULL, 1, g.now, g.expires_at_millis, g.attempt, g.taken_over, NULL, NULL, NULL,
        NULL,
        CASE WHEN g.steps > 0 THEN (SELECT array_agg(p.name::text ORDER BY p.step)
          FROM latchkey_step p
          WHERE p.tenant = g.tenant AND p.key = g.key AND p.route = g.route) END,
        CASE WHEN g.steps > 0 THEN (SELECT array_agg(p.result ORDER BY p.step)
          FROM latchkey_step p
          WHERE p.tenant = g.tenant AND p.key = g.key AND p.route = g.route) END
      FROM granted g
      UNION ALL
      SELECT s.ord, NULL, s.verdict, s.now, s.expires_at_millis, s.attempt, s.taken_over,
        s.seen_lease - s.now, s.phase,
        CASE WHEN s.verdict = 2 THEN s.seen_outline END,
        CASE WHEN s.verdict = 3 THEN s.response END,
        CASE WHEN s.verdict = 4 AND s.steps > 0 THEN (SELECT array_agg(p.name::text ORDER BY p.step)
          FROM latchkey_step p
          WHERE p.tenant = s.tenant AND p.key = s.key AND p.route = s.route) END,
        CASE WHEN s.verdict = 4 AND s.steps > 0 THEN (SELECT array_agg(p.result ORDER BY p.step)
          FROM latchkey_step p
          WHERE p.tenant = s.tenant AND p.key = s.key AND p.route = s.route) END
      FROM seen s
      WHERE s.verdict > 1
      """;

  private ClaimSql() {}
}
