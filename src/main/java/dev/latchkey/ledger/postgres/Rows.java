package dev.latchkey.ledger.postgres;

import dev.latchkey.ledger.Balance;
import dev.latchkey.ledger.Customer;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentDetails;
import dev.latchkey.ledger.PaymentOrigin;
import dev.latchkey.ledger.PaymentState;
import dev.latchkey.ledger.PaymentStatus;
import dev.latchkey.ledger.Refund;
import io.vertx.sqlclient.Row;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;

/** What rows mean: the columns to select, and what is read from them by place. Pure. */
final class Rows {

  /** The columns of {@link #payment}, of a table called {@code p}. */
  static final String PAYMENT =
      "p.id, p.tenant, p.idempotency_key, p.derived_key, p.psp_charge, p.created_at_ms, p.amount,"
          + " p.currency, p.payment_method, p.customer, p.description, p.metadata, p.status,"
          + " p.captured_amount, p.refunded_amount, p.disputed, p.closing_key, p.updated_at_ms,"
          + " p.version";

  /** The columns of {@link #refund}, of the refund {@code r} of the payment {@code p}. */
  static final String REFUND =
      "p.tenant, r.id, r.payment, r.amount, r.reason, r.psp_refund, r.derived_key,"
          + " r.created_at_ms";

  /** The columns of {@link #customer}, of a table called {@code c}. */
  static final String CUSTOMER =
      "c.tenant, c.id, c.name, c.email, c.created_at_ms, c.updated_at_ms, c.version";

  private Rows() {}

  static Payment payment(Row row) {
    return new Payment(
        row.getString(0),
        new PaymentOrigin(
            row.getString(1), row.getString(2), row.getString(3), row.getString(4), row.getLong(5)),
        new PaymentDetails(
            row.getLong(6),
            row.getString(7),
            row.getString(8),
            text(row, 9),
            text(row, 10),
            MetadataText.read(row.getString(11))),
        new PaymentState(
            PaymentStatus.valueOf(row.getString(12).toUpperCase(Locale.ROOT)),
            row.getLong(13),
            row.getLong(14),
            row.getBoolean(15),
            text(row, 16),
            row.getLong(17),
            row.getLong(18)));
  }

  static Refund refund(Row row) {
    return new Refund(
        row.getString(0),
        row.getString(1),
        row.getString(2),
        row.getLong(3),
        text(row, 4),
        row.getString(5),
        row.getString(6),
        row.getLong(7));
  }

  static Customer customer(Row row) {
    return new Customer(
        row.getString(0),
        row.getString(1),
        text(row, 2),
        text(row, 3),
        row.getLong(4),
        row.getLong(5),
        row.getLong(6));
  }

  static Balance balance(Row row) {
    return new Balance(
        row.getString(0),
        new BigInteger(row.getString(1)),
        new BigInteger(row.getString(2)),
        row.getLong(3));
  }

  private static Optional<String> text(Row row, int column) {
    return Optional.ofNullable(row.getString(column));
  }
}
