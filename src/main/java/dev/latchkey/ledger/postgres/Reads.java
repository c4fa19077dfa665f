package dev.latchkey.ledger.postgres;

import dev.latchkey.ledger.PaymentFilter;
import dev.latchkey.ledger.PaymentQuery;
import dev.latchkey.ledger.RefundQuery;
import io.vertx.sqlclient.Tuple;

/**
 * The statements that read. Each leaves the planner only one usable index, since the plan is kept
 * and may have been made while the tables were empty and all indexes cost the same. Other
 * conditions are therefore wrapped in IS TRUE, which uses no index. Pure.
 */
final class Reads {

  private static final String SELECT_PAYMENT = "SELECT " + Rows.PAYMENT + " FROM ledger_payments p";

  private Reads() {}

  static Statement payment(String tenant, String id) {
    return new Statement(
        SELECT_PAYMENT + " WHERE p.id = $1 AND (p.tenant = $2) IS TRUE", Tuple.of(id, tenant));
  }

  static Statement paymentByCharge(String pspCharge) {
    return new Statement(SELECT_PAYMENT + " WHERE p.psp_charge = $1", Tuple.of(pspCharge));
  }

  static Statement refundByPspId(String pspRefund) {
    return new Statement(
        "SELECT "
            + Rows.REFUND
            + " FROM (SELECT * FROM ledger_refunds WHERE psp_refund = $1 OFFSET 0) r"
            + " CROSS JOIN LATERAL"
            + " (SELECT * FROM ledger_payments WHERE id = r.payment OFFSET 0) p",
        Tuple.of(pspRefund));
  }

  static Statement refund(String tenant, String id) {
    return new Statement(
        "SELECT "
            + Rows.REFUND
            + " FROM (SELECT * FROM ledger_refunds WHERE id = $1 OFFSET 0) r CROSS JOIN LATERAL"
            + " (SELECT * FROM ledger_payments WHERE id = r.payment OFFSET 0) p"
            + " WHERE (p.tenant = $2) IS TRUE",
        Tuple.of(id, tenant));
  }

  /** Reads one refund more than the page holds, as {@link #page}, and with the same nulls. */
  static Statement refunds(RefundQuery query) {
    Tuple parameters = Tuple.of(query.payment(), query.limit() + 1, query.tenant());
    String list =
        "SELECT r.* FROM ledger_refunds r WHERE r.payment = $1%s"
            + " ORDER BY r.created_at_ms DESC, r.id DESC LIMIT $2";
    String owner =
        "(SELECT tenant FROM ledger_payments p WHERE p.id = $1 AND (p.tenant = $3) IS TRUE) p";
    if (query.startingAfter().isEmpty()) {
      return new Statement(
          "SELECT %s FROM %s CROSS JOIN LATERAL (%s) r ORDER BY r.created_at_ms DESC, r.id DESC"
              .formatted(Rows.REFUND, owner, list.formatted("")),
          parameters);
    }
    String start =
        "(SELECT r.created_at_ms, r.id FROM ledger_refunds r WHERE r.id = "
            + next(parameters, query.startingAfter().get())
            + " AND (r.payment = $1) IS TRUE) start";
    String older = " AND ((r.created_at_ms, r.id) < (start.created_at_ms, start.id)) IS TRUE";
    return new Statement(
        "SELECT %s FROM %s CROSS JOIN %s LEFT JOIN LATERAL (%s) r ON true"
                .formatted(Rows.REFUND, owner, start, list.formatted(older))
            + " ORDER BY r.created_at_ms DESC, r.id DESC",
        parameters);
  }

  static Statement customer(String tenant, String id) {
    return new Statement(
        "SELECT " + Rows.CUSTOMER + " FROM ledger_customers c WHERE c.tenant = $1 AND c.id = $2",
        Tuple.of(tenant, id));
  }

  static Statement balance(String tenant) {
    return new Statement(
        "SELECT currency, sum(captured)::text, sum(refunded)::text, sum(payments)::bigint"
            + " FROM ledger_balances WHERE tenant = $1 GROUP BY currency ORDER BY currency",
        Tuple.of(tenant));
  }

  static Statement probe() {
    // Names a table, so that it fails without the schema.
    return new Statement("SELECT FROM ledger_bookings", Tuple.tuple());
  }

  /**
   * Reads one payment more than the page holds, to find out whether more follow. With a payment to
   * start after, no row means that it is not in the list, and one row of nulls that nothing
   * follows.
   */
  static Statement page(PaymentQuery query) {
    Tuple parameters = Tuple.of(query.tenant(), query.limit() + 1);
    StringBuilder list = new StringBuilder("p.tenant = $1");
    PaymentFilter filter = query.filter();
    filter
        .idempotencyKey()
        .ifPresent(key -> list.append(" AND p.idempotency_key = ").append(next(parameters, key)));
    filter
        .customer()
        .ifPresent(
            customer -> list.append(" AND p.customer = ").append(next(parameters, customer)));
    String passing = list + passing(filter, parameters);
    if (query.startingAfter().isEmpty()) {
      return new Statement(
          SELECT_PAYMENT + " WHERE " + passing + " ORDER BY p.booking DESC LIMIT $2", parameters);
    }
    String id = next(parameters, query.startingAfter().get());
    String start =
        "SELECT p.booking FROM ledger_payments p WHERE p.id = "
            + id
            + " AND ("
            + list
            + ") IS TRUE";
    String rest =
        "SELECT * FROM ledger_payments p WHERE "
            + passing
            + " AND p.booking < start.booking ORDER BY p.booking DESC LIMIT $2";
    return new Statement(
        "SELECT "
            + Rows.PAYMENT
            + " FROM ("
            + start
            + ") start LEFT JOIN LATERAL ("
            + rest
            + ") p ON true ORDER BY p.booking DESC",
        parameters);
  }

  private static String passing(PaymentFilter filter, Tuple parameters) {
    StringBuilder passing = new StringBuilder();
    filter
        .status()
        .ifPresent(
            status ->
                passing.append(
                    " AND (p.status = " + next(parameters, status.text()) + ") IS TRUE"));
    filter
        .createdAfterEpochMillis()
        .ifPresent(
            time ->
                passing.append(" AND (p.created_at_ms > " + next(parameters, time) + ") IS TRUE"));
    filter
        .createdBeforeEpochMillis()
        .ifPresent(
            time ->
                passing.append(" AND (p.created_at_ms < " + next(parameters, time) + ") IS TRUE"));
    return passing.toString();
  }

  private static String next(Tuple parameters, Object value) {
    parameters.addValue(value);
    return "$" + parameters.size();
  }
}
