package dev.latchkey.store.postgres.sql;

/**
 * The statements about keys that are not batched. Unless stated otherwise, the parameters begin
 * with tenant, key and route.
 */
public final class KeySql {

  private static final String THIS_KEY =
      "tenant = $1::text AND key = $2::text AND route = $3::text";
  private static final String LIVE =
      "greatest(expires_at_millis, lease_until_millis) > latchkey_now()";
  private static final String HELD = "token = $4::bytea AND phase = 0 AND " + LIVE;

  /**
   * Whether this transaction locked its key. If BEGIN alone fails, or the application ends the
   * transaction, each later statement would commit alone; this condition prevents it.
   */
  public static final String LOCKED_HERE =
      "(current_setting('latchkey.transaction', true) = pg_current_xact_id()::text) IS TRUE";

  /** Reads the state of a key. */
  public static final String LOOKUP =
      """
      SELECT fingerprint, member_sketch, token, phase, lease_until_millis, expires_at_millis,
        CASE WHEN phase = 1 THEN response END AS response, latchkey_now() AS now
      FROM latchkey_key
      WHERE %s AND %s
      """
          .formatted(THIS_KEY, LIVE);

  /** Registers interest. A later statement reads the state: the snapshot of this one is older. */
  public static final String WATCH =
      """
      UPDATE latchkey_key SET awaited = true
      WHERE %s AND phase = 0 AND NOT awaited AND %s
      """
          .formatted(THIS_KEY, LIVE);

  /** Lists the records of a key over all routes. Parameters: tenant, key and limit. */
  public static final String RECORDS =
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
   * Renews leases. Parameters: arrays of tenant, key, route, token and lease. Returns the numbers
   * of the claims that it did not renew: the lost ones, and those whose row another transaction
   * holds or has just changed, which must be sent again.
   */
  public static final String RENEW =
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
   * Records a step. Further parameters: token, name, result and maximum number of steps. A takeover
   * and another step compare the number of steps, so that neither misses one that was recorded
   * meanwhile. A scalar subquery finds the name: the planner cannot turn it into a hash of all
   * steps.
   */
  public static final String RECORD_STEP =
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

  /** Renews one lease. Further parameters: token and lease. */
  public static final String RENEW_ONE =
      """
      UPDATE latchkey_key SET lease_until_millis = latchkey_now() + $5::bigint
      WHERE %s AND %s
      """
          .formatted(THIS_KEY, HELD);

  /**
   * Locks the row of a claim for the transaction, or raises. Further parameters: token, and how
   * long the transaction may idle and may take, in milliseconds as text. The key share lock
   * conflicts with takeover and purge, which lock for update, and with nothing else: interest can
   * be registered and the lease renewed while the work runs.
   */
  public static final String LOCK =
      """
      WITH locked AS MATERIALIZED (
        SELECT 1 FROM latchkey_key
        WHERE %s AND %s
        FOR KEY SHARE
      )
      SELECT %s
        CASE WHEN (SELECT count(*) FROM locked) = 0 THEN latchkey_lost() END AS lost
      """
          .formatted(THIS_KEY, HELD, beginning(5));

  /** Completes a locked key, or raises. Further parameters: token, lease and response. */
  public static final String COMPLETE_LOCKED =
      """
      WITH d AS (
        UPDATE latchkey_key SET phase = 1, response = $6::bytea,
          lease_until_millis = latchkey_now(),
          expires_at_millis = CASE WHEN expires_at_millis <= latchkey_now()
            THEN latchkey_now() + $5::bigint ELSE expires_at_millis END
        WHERE %s AND token = $4::bytea AND phase = 0
          AND %s
        RETURNING tenant, key, route, expires_at_millis, awaited
      )
      SELECT latchkey_now() AS now, d.expires_at_millis,
        CASE WHEN d.tenant IS NULL THEN latchkey_lost() END AS lost,
        %s
      FROM (VALUES (1)) AS one(row) LEFT JOIN d ON true
      """
          .formatted(THIS_KEY, LOCKED_HERE, CompleteSql.NOTIFY);

  /**
   * Marks the transaction, and sets how long it may idle and take, from two parameters. The latter
   * (Postgres 17 and later) also ends a transaction that is not idle by the protocol: its client is
   * gone in the middle of a message. A running transaction timer ignores a new value, so the one of
   * the session is switched off first.
   */
  static String beginning(int parameter) {
    return """
        set_config('latchkey.transaction', pg_current_xact_id()::text, true) AS mark,
        set_config('idle_in_transaction_session_timeout', $%d::text, true) AS idle,
        CASE WHEN current_setting('server_version_num')::integer >= 170000
            AND set_config('transaction_timeout', '0', true) = '0'
          THEN set_config('transaction_timeout', $%d::text, true) END AS whole,\
        """
        .formatted(parameter, parameter + 1);
  }

  private KeySql() {}
}
