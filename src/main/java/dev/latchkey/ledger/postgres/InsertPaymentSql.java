package dev.latchkey.ledger.postgres;

import static dev.latchkey.ledger.postgres.LedgerEffectKind.Field.flag;
import static dev.latchkey.ledger.postgres.LedgerEffectKind.Field.number;
import static dev.latchkey.ledger.postgres.LedgerEffectKind.Field.text;

import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import java.util.List;

/** Books new payments. */
final class InsertPaymentSql {

  /**
   * Bookings are numbered in the order of the effects. Two statements that insert the same charges
   * conflict earlier, at the keys of these charges, so they cannot deadlock here. A payment that is
   * in the ledger already violates a constraint, so every row that is inserted has applied.
   */
  private static final String CTES =
      """
      insert_payment_booked AS (
        INSERT INTO ledger_payments (booking, id, tenant, idempotency_key, derived_key, psp_charge,
          created_at_ms, amount, currency, payment_method, customer, description, metadata, status,
          captured_amount, refunded_amount, disputed, closing_key, updated_at_ms, version)
        SELECT nextval('ledger_bookings'), id, tenant, idempotency_key, derived_key, psp_charge,
          created_at_ms, amount, currency, payment_method, customer, description, metadata, status,
          captured_amount, refunded_amount, disputed, closing_key, updated_at_ms, version
        FROM insert_payment_input
      ), insert_payment_events AS (
        INSERT INTO outbox_events (tenant, type, payment, version, created_at_ms, status,
          captured_amount, refunded_amount, disputed, description, metadata, updated_at_ms)
        SELECT tenant, 'payment.' || status, id, version, updated_at_ms, status, captured_amount,
          refunded_amount, disputed, description, metadata, updated_at_ms
        FROM insert_payment_input
      ), insert_payment_applied AS (
        SELECT ord FROM insert_payment_input
      )""";

  static final LedgerEffectKind<InsertPayment> KIND =
      new LedgerEffectKind<>(
          "insert_payment",
          InsertPayment.class,
          effect -> effect.payment().id(),
          List.of(
              text("id", it -> it.payment().id()),
              text("tenant", it -> it.payment().tenant()),
              text("idempotency_key", it -> it.payment().origin().idempotencyKey()),
              text("derived_key", it -> it.payment().origin().derivedKey()),
              text("psp_charge", it -> it.payment().origin().pspCharge()),
              number("created_at_ms", it -> it.payment().origin().createdAtEpochMillis()),
              number("amount", it -> it.payment().details().amount()),
              text("currency", it -> it.payment().details().currency()),
              text("payment_method", it -> it.payment().details().paymentMethod()),
              text("customer", it -> it.payment().details().customer().orElse(null)),
              text("description", it -> it.payment().details().description().orElse(null)),
              text("metadata", it -> MetadataText.write(it.payment().details().metadata())),
              text("status", it -> it.payment().status().text()),
              number("captured_amount", it -> it.payment().state().capturedAmount()),
              number("refunded_amount", it -> it.payment().state().refundedAmount()),
              flag("disputed", it -> it.payment().state().disputed()),
              text("closing_key", it -> it.payment().state().closingKey().orElse(null)),
              number("updated_at_ms", it -> it.payment().state().updatedAtEpochMillis()),
              number("version", it -> it.payment().version())),
          CTES);

  private InsertPaymentSql() {}
}
