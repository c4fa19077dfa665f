package dev.latchkey.store.postgres;

/**
 * The statements about keys that are not batched, and the purge. Parameters begin with tenant, key
 * and route where nothing else is said.
 */
final class KeySql {

  private static final String THIS_KEY =
      "tenant = $1::text AND key = $2::text AND route = $3::text";
  private static final String LIVE =
      "greatest(expires_at_millis, lease_until_millis) > latchkey_now()";
  private static final String HELD = "token = $4::bytea AND phase = 0 AND " + LIVE;

  static final String LOOKUP =
      """
      SELECT fingerprint, outline, token, phase, lease_until_millis, expires_at_millis,
        CASE WHEN phase = 1 THEN response END AS response, latchkey_now() AS now
      FROM latchkey_key
      WHERE %s AND %s
      """
          .formatted(THIS_KEY, LIVE);

  /** Registers interest. The state is read by a later statement: this one's snapshot is older. */
  static final String WATCH =
      """
      UPDATE latchkey_key SET awaited = true
      WHERE %s AND phase = 0 AND NOT awaited AND %s
      """
          .formatted(THIS_KEY, LIVE);

  /** Tenant, key and limit. */
  static final String RECORDS =
      """
      SELECT route, phase, attempt, created_at_millis, expires_at_millis,
        CASE WHEN phase = 1 THEN response END AS response
      FROM latchkey_key
      WHERE tenant = $1::text AND key = $2::text AND %s
      ORDER BY created_at_millis, route
      LIMIT $3::bigint
      """
          .formatted(LIVE);

  /**
   * Arrays of tenant, key, route, token and lease. Answers the numbers of the claims that it did
   * not renew: those that are lost, and those whose row another transaction holds or has just
   * changed, which are to be sent again.
   */
  static final String RENEW =
      """
      WITH seen AS MATERIALIZED (
        SELECT i.*, k.held
        FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::bigint[]) WITH ORDINALITY
          AS i(tenant, key, route, token, lease, ord)
        LEFT JOIN LATERAL (
          SELECT k.token = i.token AND k.phase = 0
            AND greatest(k.expires_at_millis, k.lease_until_millis) > latchkey_now() AS held
          FROM latchkey_key k
          WHERE k.tenant = i.tenant AND k.key = i.key AND k.route = i.route OFFSET 0
        ) k ON true
      ), free AS MATERIALIZED (
        SELECT s.ord, s.lease, k.place
        FROM (
          SELECT * FROM seen WHERE held
          ORDER BY tenant COLLATE "C", key COLLATE "C", route COLLATE "C"
        ) s
        CROSS JOIN LATERAL (
          SELECT k.ctid AS place FROM latchkey_key k
          WHERE k.tenant = s.tenant AND k.key = s.key AND k.route = s.route
            AND k.token = s.token AND k.phase = 0
          FOR NO KEY UPDATE SKIP LOCKED
        ) k
      ), renewed AS (
        UPDATE latchkey_key k SET lease_until_millis = latchkey_now() + f.lease
        FROM free f
        WHERE k.ctid = f.place
        RETURNING f.ord
      )
      SELECT s.ord, s.held IS NOT TRUE AS lost
      FROM seen s
      WHERE s.ord NOT IN (SELECT r.ord FROM renewed r)
      """;

  /**
   * Token, name, result and how many steps a key may have. The number of steps is what a takeover
   * and another step compare, so that neither misses one that was recorded meanwhile. The name is
   * looked up by a scalar subquery, which the planner cannot turn into a hash of all steps.
   */
  static final String RECORD_STEP =
      """
      WITH seen AS MATERIALIZED (
        SELECT k.steps, (SELECT true FROM latchkey_step p
          WHERE p.tenant = k.tenant AND p.key = k.key AND p.route = k.route
            AND p.name = $5::text LIMIT 1) IS TRUE AS known
        FROM latchkey_key k
        WHERE %s AND %s
      ), counted AS (
        UPDATE latchkey_key k SET steps = k.steps + 1
        FROM seen s
        WHERE k.tenant = $1::text AND k.key = $2::text AND k.route = $3::text
          AND k.token = $4::bytea AND k.phase = 0 AND k.steps = s.steps
          AND NOT s.known AND s.steps < $7::integer
        RETURNING k.steps
      ), added AS (
        INSERT INTO latchkey_step (tenant, key, route, step, name, result)
        SELECT $1::text, $2::text, $3::text, c.steps, $5::text, $6::bytea FROM counted c
        RETURNING step
      )
      SELECT s.known, s.steps >= $7::integer AS full, EXISTS (SELECT FROM added) AS added
      FROM seen s
      """
          .formatted(THIS_KEY, HELD);

  /** The limit alone. One purge at a time over all nodes; whoever finds another does nothing. */
  static final String PURGE =
      """
      WITH due AS MATERIALIZED (
        SELECT ctid AS place
        FROM latchkey_key
        WHERE (SELECT pg_try_advisory_xact_lock(7305445081266254202))
          AND expires_at_millis <= latchkey_now() AND lease_until_millis <= latchkey_now()
        ORDER BY expires_at_millis
        LIMIT $1::bigint
        FOR UPDATE SKIP LOCKED
      ), gone AS (
        DELETE FROM latchkey_key k USING due d
        WHERE k.ctid = d.place
        RETURNING 1
      )
      SELECT count(*) AS removed FROM gone
      """;

  /** Whether the server can be written to. */
  static final String READ_ONLY =
      "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean";

  /** A table's name: whether the server can be written to, and knows the table. */
  static final String PROBE =
      """
      SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS read_only,
        to_regclass($1::text) IS NOT NULL AS migrated
      """;

  /** Token and lease: lets the lease run from now on. */
  static final String RENEW_ONE =
      """
      UPDATE latchkey_key SET lease_until_millis = latchkey_now() + $5::bigint
      WHERE %s AND %s
      """
          .formatted(THIS_KEY, HELD);

  /**
   * Token, how long the transaction may idle and how long it may take, in milliseconds as text.
   * Pins the claim for the transaction, or raises. The key share lock conflicts with takeover and
   * purge, which lock for update, and with nothing else: interest can be registered and the lease
   * renewed while the work runs.
   */
  static final String PIN =
      """
      WITH pinned AS MATERIALIZED (
        SELECT 1 FROM latchkey_key
        WHERE %s AND %s
        FOR KEY SHARE
      )
      SELECT %s
        CASE WHEN (SELECT count(*) FROM pinned) = 0 THEN latchkey_lost() END AS lost,
        pg_current_xact_id()::text AS transaction
      """
          .formatted(THIS_KEY, HELD, transactionLimits(5));

  /**
   * Token, response, lease and the transaction that was begun, or null where nothing ran between.
   * Raises when it matches nothing.
   */
  static final String COMPLETE_PINNED =
      """
      WITH d AS (
        UPDATE latchkey_key SET phase = 1, response = $5::bytea,
          lease_until_millis = latchkey_now(),
          expires_at_millis = CASE WHEN expires_at_millis <= latchkey_now()
            THEN latchkey_now() + $6::bigint ELSE expires_at_millis END
        WHERE %s AND token = $4::bytea AND phase = 0
          AND ($7::text IS NULL OR $7::text = pg_current_xact_id()::text)
        RETURNING tenant, key, route, expires_at_millis, awaited
      )
      SELECT latchkey_now() AS now, d.expires_at_millis,
        CASE WHEN d.tenant IS NULL THEN latchkey_lost() END AS lost,
        %s
      FROM (VALUES (1)) AS one(row) LEFT JOIN d ON true
      """
          .formatted(THIS_KEY, CompleteSql.NOTIFY);

  /**
   * Sets how long the transaction may idle and how long it may take, from two parameters. The
   * latter (Postgres 17 and later) also ends a transaction that is not idle by the protocol: its
   * client is gone in the middle of a message. A running transaction timer ignores a new value, so
   * the one of the session is switched off first.
   */
  static String transactionLimits(int parameter) {
    return """
        set_config('idle_in_transaction_session_timeout', $%d::text, true) AS idle,
        CASE WHEN current_setting('server_version_num')::integer >= 170000
            AND set_config('transaction_timeout', '0', true) = '0'
          THEN set_config('transaction_timeout', $%d::text, true) END AS whole,\
        """
        .formatted(parameter, parameter + 1);
  }

  private KeySql() {}
}
