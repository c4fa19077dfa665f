package dev.latchkey.store.postgres.sql;

/** The statements about receipts. The primary key decides which attempt was first. */
public final class ReceiptSql {

  private static final String INSERT =
      """
      INSERT INTO latchkey_receipt AS r (tenant, key, route, fingerprint, member_sketch, token, attempt,
        response, created_at_millis, expires_at_millis, kept_until_millis)
      """;

  /**
   * An expired receipt is replaced by the next attempt's; a live one stays as it is, and so does
   * one of the same token, whose effects are applied already.
   */
  private static final String UNLESS_TAKEN =
      """
      ON CONFLICT (tenant, key, route) DO UPDATE SET
        fingerprint = excluded.fingerprint, member_sketch = excluded.member_sketch, token = excluded.token,
        attempt = excluded.attempt, response = excluded.response,
        created_at_millis = excluded.created_at_millis,
        expires_at_millis = excluded.expires_at_millis,
        kept_until_millis = excluded.kept_until_millis
      WHERE r.kept_until_millis <= latchkey_now() AND r.token <> excluded.token
        OR r.response IS NULL
      RETURNING r.token
      """;

  /** This server's time on the clock of the claims, which the expiry refers to. */
  private static final String NOW =
      "r.expires_at_millis - (r.kept_until_millis - latchkey_now()) AS now";

  /**
   * Stores receipts; a format string like {@link CompleteSql#COMPLETE}. Parameters: arrays of
   * tenant, key, route, fingerprint, member sketch, token, attempt, response, time of creation,
   * time of expiry, and how long the receipt is kept from now. The subquery finds tokens by a hash
   * table; the sessions would execute a join as a nested loop.
   */
  public static final String COMMIT =
      """
          WITH first AS (
          """
          + INSERT
          + """
              SELECT i.tenant, i.key, i.route, ($4::bytea[])[i.ord], ($5::bytea[])[i.ord],
                ($6::bytea[])[i.ord], ($7::integer[])[i.ord], ($8::bytea[])[i.ord],
                ($9::bigint[])[i.ord], ($10::bigint[])[i.ord],
                (SELECT latchkey_now()) + ($11::bigint[])[i.ord]
              FROM (
                SELECT ord, ($1::text[])[ord] COLLATE "C" AS tenant,
                  ($2::text[])[ord] COLLATE "C" AS key, ($3::text[])[ord] COLLATE "C" AS route
                FROM generate_subscripts($1::text[], 1) AS ord
                ORDER BY tenant, key, route
              ) i
              """
          + UNLESS_TAKEN
          + """
              ), done AS MATERIALIZED (
                SELECT ord FROM generate_subscripts($1::text[], 1) AS ord
                WHERE (($6::bytea[])[ord] IN (SELECT token FROM first)) IS TRUE
              )%1$s
              SELECT d.ord, ($10::bigint[])[d.ord] AS expires_at_millis,
                ($10::bigint[])[d.ord] - ($11::bigint[])[d.ord] AS now%2$s
              FROM done d
              """;

  /**
   * Finds receipts that live or that have a token. Parameters: arrays of tenant, key, route and
   * token.
   */
  public static final String FIND =
      """
      SELECT i.ord, r.fingerprint, r.member_sketch, r.token, r.attempt, r.response, r.created_at_millis,
        r.expires_at_millis, %s
      FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) WITH ORDINALITY
        AS i(tenant, key, route, token, ord)
      CROSS JOIN LATERAL (SELECT * FROM latchkey_receipt r
        WHERE r.tenant = i.tenant AND r.key = i.key AND r.route = i.route
          AND (r.kept_until_millis > latchkey_now() OR r.token = i.token)
          AND r.response IS NOT NULL OFFSET 0) r
      """
          .formatted(NOW);

  /** Lists the receipts of a key over all routes. Parameters: tenant, key and limit. */
  public static final String LIST =
      """
      SELECT route, fingerprint, member_sketch, token, attempt, response, created_at_millis,
        expires_at_millis, %s
      FROM latchkey_receipt r
      WHERE tenant = $1::text AND key = $2::text AND kept_until_millis > latchkey_now()
        AND response IS NOT NULL
      ORDER BY created_at_millis, route
      LIMIT $3::bigint
      """
          .formatted(NOW);

  /**
   * Reserves a key for a transaction, or raises; no other transaction can store its receipt before
   * this one ends. Parameters: the values of one receipt as in {@link #COMMIT}, without the
   * response, then how long the transaction may idle and may take, in milliseconds as text.
   */
  public static final String RESERVE =
      """
      WITH first AS (
      """
          + INSERT
          + """
          VALUES ($1::text, $2::text, $3::text, $4::bytea, $5::bytea, $6::bytea, $7::integer,
            NULL, $8::bigint, $9::bigint, latchkey_now() + $10::bigint)
          """
          + UNLESS_TAKEN
          + """
          )
          SELECT
          """
          + KeySql.beginning(11)
          + """

            CASE WHEN (SELECT count(*) FROM first) = 0 THEN latchkey_lost() END AS lost
          """;

  /**
   * Stores the response of a reserved receipt, or raises. Parameters: tenant, key, route, token and
   * response.
   */
  public static final String FILL =
      """
      WITH d AS (
        UPDATE latchkey_receipt r SET response = $5::bytea
        WHERE tenant = $1::text AND key = $2::text AND route = $3::text AND token = $4::bytea
          AND %s
        RETURNING r.expires_at_millis, %s
      )
      SELECT d.now, d.expires_at_millis,
        CASE WHEN d.expires_at_millis IS NULL THEN latchkey_lost() END AS lost
      FROM (VALUES (1)) AS one(row) LEFT JOIN d ON true
      """
          .formatted(KeySql.LOCKED_HERE, NOW);

  private ReceiptSql() {}
}
