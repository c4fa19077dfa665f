package dev.latchkey.ledger.postgres;

import static dev.latchkey.ledger.postgres.LedgerEffectKind.Field.number;
import static dev.latchkey.ledger.postgres.LedgerEffectKind.Field.text;

import dev.latchkey.ledger.LedgerEffect.BookCancel;
import dev.latchkey.ledger.LedgerEffect.BookCapture;
import java.util.List;

/** Books what ends {@code requires_capture}: a capture or a cancel, against one version. */
final class ClosePaymentSql {

  static final LedgerEffectKind<BookCapture> CAPTURE =
      new LedgerEffectKind<>(
          "book_capture",
          BookCapture.class,
          BookCapture::payment,
          List.of(
              text("tenant", BookCapture::tenant),
              text("payment", BookCapture::payment),
              number("version", BookCapture::version),
              number("amount", BookCapture::amount),
              text("derived_key", BookCapture::derivedKey),
              number("at_ms", BookCapture::atEpochMillis)),
          ctes(
              "book_capture",
              "status = 'succeeded', captured_amount = l.amount,",
              "l.amount BETWEEN 1 AND p.amount",
              "payment.captured"));

  static final LedgerEffectKind<BookCancel> CANCEL =
      new LedgerEffectKind<>(
          "book_cancel",
          BookCancel.class,
          BookCancel::payment,
          List.of(
              text("tenant", BookCancel::tenant),
              text("payment", BookCancel::payment),
              number("version", BookCancel::version),
              text("derived_key", BookCancel::derivedKey),
              number("at_ms", BookCancel::atEpochMillis)),
          ctes("book_cancel", "status = 'canceled',", "true", "payment.canceled"));

  private ClosePaymentSql() {}

  /**
   * The condition is checked again on the locked row. The rows are also named as an array, so that
   * a plan made while the table was empty uses its index.
   */
  private static String ctes(String name, String changes, String condition, String event) {
    return """
        NAME_locked AS MATERIALIZED (
          SELECT i.* FROM NAME_input i JOIN ledger_payments p ON p.id = i.payment
            AND p.id = ANY (ARRAY(SELECT payment FROM NAME_input))
          ORDER BY p.id FOR NO KEY UPDATE OF p
        ), NAME_changed AS (
          UPDATE ledger_payments p SET CHANGES
            closing_key = l.derived_key, updated_at_ms = greatest(p.updated_at_ms, l.at_ms),
            version = p.version + 1
          FROM NAME_locked l
          WHERE p.id = l.payment AND p.id = ANY (ARRAY(SELECT payment FROM NAME_locked))
            AND (p.tenant = l.tenant) IS TRUE AND p.version = l.version
            AND p.status = 'requires_capture' AND CONDITION
          RETURNING l.ord, l.at_ms, p.*
        ), NAME_events AS (
          INSERT INTO outbox_events (tenant, type, payment, version, created_at_ms, status,
            captured_amount, refunded_amount, disputed, description, metadata, updated_at_ms)
          SELECT tenant, 'EVENT', id, version, updated_at_ms, status, captured_amount,
            refunded_amount, disputed, description, metadata, updated_at_ms
          FROM NAME_changed
        ), NAME_applied AS (
          SELECT ord FROM NAME_changed
        )"""
        .replace("NAME", name)
        .replace("CHANGES", changes)
        .replace("CONDITION", condition)
        .replace("EVENT", event);
  }
}
