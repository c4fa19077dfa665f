package dev.latchkey.ledger.postgres;

import static dev.latchkey.ledger.postgres.LedgerEffectKind.Field.number;
import static dev.latchkey.ledger.postgres.LedgerEffectKind.Field.text;

import dev.latchkey.ledger.LedgerEffect.BookRefund;
import java.util.List;

/** Books refunds, and the captures that they overtook. */
final class BookRefundSql {

  /**
   * If the refund also records a capture, the capture is an event of its own, before the refund's
   * and with the same version, and shows the payment after the capture alone. The locked row
   * decides whether there is one, since no other transaction can change it. The rows are also named
   * as an array, so that a plan made while the table was empty uses its index.
   */
  private static final String CTES =
      """
      book_refund_locked AS MATERIALIZED (
        SELECT i.*, p.status = 'requires_capture' AS overtakes
        FROM book_refund_input i JOIN ledger_payments p ON p.id = i.payment
          AND p.id = ANY (ARRAY(SELECT payment FROM book_refund_input))
        ORDER BY p.id FOR NO KEY UPDATE OF p
      ), book_refund_changed AS (
        UPDATE ledger_payments p SET
          captured_amount =
            CASE p.status WHEN 'requires_capture' THEN l.captured ELSE p.captured_amount END,
          refunded_amount = p.refunded_amount + l.amount,
          status = CASE p.refunded_amount + l.amount
            WHEN CASE p.status WHEN 'requires_capture' THEN l.captured ELSE p.captured_amount END
            THEN 'refunded' ELSE 'partially_refunded' END,
          updated_at_ms = greatest(p.updated_at_ms, l.at_ms),
          version = p.version + 1
        FROM book_refund_locked l
        WHERE p.id = l.payment AND p.id = ANY (ARRAY(SELECT payment FROM book_refund_locked))
          AND (p.tenant = l.tenant) IS TRUE AND l.amount >= 1
          AND CASE p.status
            WHEN 'requires_capture' THEN l.captured <= p.amount AND l.amount <= l.captured
            ELSE l.amount <= p.captured_amount - p.refunded_amount END
        RETURNING l.ord, l.refund, l.amount AS given, l.reason, l.psp_refund,
          l.derived_key AS asked, l.at_ms, l.overtakes, p.id, p.tenant, p.version,
          p.captured_amount, p.disputed, p.description, p.metadata, p.updated_at_ms
      ), book_refund_booked AS (
        INSERT INTO ledger_refunds
          (id, payment, amount, reason, psp_refund, derived_key, created_at_ms)
        SELECT refund, id, given, reason, psp_refund, asked, at_ms
        FROM book_refund_changed ORDER BY psp_refund COLLATE "C"
        ON CONFLICT DO NOTHING
        RETURNING id
      ), book_refund_events AS (
        INSERT INTO outbox_events (tenant, type, payment, version, created_at_ms, refund, status,
          captured_amount, refunded_amount, disputed, description, metadata, updated_at_ms)
        SELECT * FROM (
          SELECT tenant, 'payment.captured' AS type, id, version, updated_at_ms, NULL, 'succeeded',
            captured_amount, 0, disputed, description, metadata, updated_at_ms
          FROM book_refund_changed WHERE overtakes
          UNION ALL
          SELECT tenant, 'refund.created', id, version, at_ms, refund, NULL,
            NULL, NULL, NULL, NULL, NULL, NULL
          FROM book_refund_changed
        ) event ORDER BY id, type
      ), book_refund_applied AS (
        SELECT ord FROM book_refund_changed
        WHERE (refund IN (SELECT id FROM book_refund_booked)) IS TRUE
      )""";

  static final LedgerEffectKind<BookRefund> KIND =
      new LedgerEffectKind<>(
          "book_refund",
          BookRefund.class,
          effect -> effect.refund().payment(),
          List.of(
              text("tenant", it -> it.refund().tenant()),
              text("payment", it -> it.refund().payment()),
              text("refund", it -> it.refund().id()),
              number("amount", it -> it.refund().amount()),
              text("reason", it -> it.refund().reason().orElse(null)),
              text("psp_refund", it -> it.refund().pspRefund()),
              text("derived_key", it -> it.refund().derivedKey()),
              number("at_ms", it -> it.refund().createdAtEpochMillis()),
              number("captured", BookRefund::capturedAmount)),
          CTES);

  private BookRefundSql() {}
}
