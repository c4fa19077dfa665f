package dev.latchkey.ledger.postgres;

import dev.latchkey.ledger.CustomerPut;
import dev.latchkey.ledger.PaymentAmendment;
import dev.latchkey.ledger.Precondition;
import dev.latchkey.ledger.Precondition.OneOf;
import dev.latchkey.ledger.Precondition.Versions;
import io.vertx.sqlclient.Tuple;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The statements that write without an idempotency key, each with its condition. They leave the
 * planner one index, like {@link Reads}. Pure.
 */
final class UnkeyedWrites {

  private static final Long[] NONE = {};

  private static final String AMEND =
      "UPDATE ledger_payments p SET description = $4, metadata = $5,"
          + " updated_at_ms = greatest(p.updated_at_ms, $6), version = p.version + 1"
          + " WHERE p.id = $2 AND (p.tenant = $1 AND p.version = $3) IS TRUE RETURNING "
          + Rows.PAYMENT;

  /**
   * Returns the row that was written, whether it is new, and true. If none was written, the last
   * column says whether the precondition failed. If it did not, another put that this statement
   * does not see was first, and the statement must be sent once more; customers are never deleted.
   */
  private static final String PUT =
      """
      WITH made AS (
        INSERT INTO ledger_customers AS c
          (tenant, id, name, email, created_at_ms, updated_at_ms, version)
        SELECT $1, $2, $3::text, $4::text, $5::bigint, $5::bigint, 1 WHERE $6::boolean
        ON CONFLICT DO NOTHING
        RETURNING %1$s
      ), changed AS (
        UPDATE ledger_customers c SET name = $3, email = $4,
          updated_at_ms = CASE WHEN (c.name, c.email) IS DISTINCT FROM ($3, $4)
            THEN greatest(c.updated_at_ms, $5) ELSE c.updated_at_ms END,
          version = CASE WHEN (c.name, c.email) IS DISTINCT FROM ($3, $4)
            THEN c.version + 1 ELSE c.version END
        WHERE c.tenant = $1 AND c.id = $2 AND NOT EXISTS (SELECT FROM made)
          AND ($7::boolean OR c.version = ANY ($8::bigint[]))
          AND NOT ($9::boolean OR c.version = ANY ($10::bigint[]))
        RETURNING %1$s
      )
      SELECT c.*, true, true FROM made c
      UNION ALL SELECT c.*, false, true FROM changed c
      UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, false,
        NOT $6 OR EXISTS (SELECT FROM ledger_customers c WHERE c.tenant = $1 AND c.id = $2)
        WHERE NOT EXISTS (SELECT FROM made) AND NOT EXISTS (SELECT FROM changed)
      """
          .formatted(Rows.CUSTOMER);

  private UnkeyedWrites() {}

  static Statement amend(PaymentAmendment amendment) {
    return new Statement(
        AMEND,
        Tuple.of(
            amendment.tenant(),
            amendment.payment(),
            amendment.version(),
            amendment.description().orElse(null),
            MetadataText.write(amendment.metadata()),
            amendment.atEpochMillis()));
  }

  static Statement put(CustomerPut put) {
    Precondition precondition = put.precondition();
    return new Statement(
        PUT,
        Tuple.tuple()
            .addString(put.tenant())
            .addString(put.id())
            .addString(put.name().orElse(null))
            .addString(put.email().orElse(null))
            .addLong(put.atEpochMillis())
            .addBoolean(precondition.holds(OptionalLong.empty()))
            .addBoolean(precondition.ifMatch().map(UnkeyedWrites::isAny).orElse(true))
            .addArrayOfLong(listed(precondition.ifMatch()))
            .addBoolean(precondition.ifNoneMatch().map(UnkeyedWrites::isAny).orElse(false))
            .addArrayOfLong(listed(precondition.ifNoneMatch())));
  }

  private static boolean isAny(Versions versions) {
    return versions instanceof Precondition.Any;
  }

  private static Long[] listed(Optional<Versions> versions) {
    return versions
        .filter(OneOf.class::isInstance)
        .map(these -> ((OneOf) these).versions().toArray(NONE))
        .orElse(NONE);
  }
}
