package dev.latchkey.store.postgres.sql;

/**
 * The statements that delete expired rows in order of expiry. Parameters: maximum number of rows,
 * and the expiry from which they are read. Only one node purges at a time; the statement does
 * nothing while another does. It returns the number of rows that were removed and that are due, and
 * the expiry from which the next statement continues.
 */
public final class PurgeSql {

  private static final int MAX_BYTES = 1 << 20;

  /** Deletes keys, and their steps with them. */
  public static final String KEYS =
      sql(
          "latchkey_key",
          "expires_at_millis",
          "lease_until_millis <= latchkey_now()",
          "500 + 1000 * steps + coalesce(octet_length(response), 0)",
          7305445081266254202L);

  /** Deletes receipts. */
  public static final String RECEIPTS =
      sql(
          "latchkey_receipt",
          "kept_until_millis",
          "true",
          "500 + coalesce(octet_length(response), 0)",
          7305445081266254203L);

  private PurgeSql() {}

  private static String sql(
      String table, String expiry, String condition, String bytes, long advisoryLock) {
    return """
    WITH due AS MATERIALIZED (
      SELECT ctid AS place, EXPIRY AS at, CONDITION AS free, BYTES AS bytes
      FROM TABLE
      WHERE (SELECT pg_try_advisory_xact_lock(LOCK))
        AND EXPIRY >= $2::bigint AND EXPIRY <= latchkey_now()
      ORDER BY EXPIRY
      LIMIT $1::bigint
    ), locked AS MATERIALIZED (
      SELECT k.place
      FROM (SELECT place, free, sum(bytes) OVER (ORDER BY at, place) - bytes AS before FROM due) d
      CROSS JOIN LATERAL (
        SELECT k.ctid AS place FROM TABLE k WHERE k.ctid = d.place FOR UPDATE SKIP LOCKED
      ) k
      WHERE d.free AND d.before < MAX_BYTES
    ), gone AS (
      DELETE FROM TABLE k USING locked l
      WHERE k.ctid = l.place
      RETURNING 1
    )
    SELECT (SELECT count(*) FROM gone) AS removed, (SELECT count(*) FROM due) AS due,
      coalesce(
        (SELECT min(at) FROM due WHERE place NOT IN (SELECT place FROM locked)),
        (SELECT max(at) FROM due), $2::bigint) AS position
    """
        .replace("TABLE", table)
        .replace("EXPIRY", expiry)
        .replace("CONDITION", condition)
        .replace("MAX_BYTES", Integer.toString(MAX_BYTES))
        .replace("BYTES", bytes)
        .replace("LOCK)", advisoryLock + ")");
  }
}
