package dev.latchkey.bench;

import dev.latchkey.ledger.Payment;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Tuple;
import java.util.Map;

/** How the baselines store a payment: one row, one statement, prepared once a connection. */
final class PaymentRow {

  private static final String COLUMNS =
      """
      (booking, id, tenant, idempotency_key, derived_key, psp_charge, created_at_ms, amount,
        currency, payment_method, customer, description, metadata, status, captured_amount,
        refunded_amount, disputed, closing_key, updated_at_ms, version)
      VALUES (nextval('ledger_bookings'), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
        $14, $15, $16, $17, $18, $19)""";

  /** Into the service's own table, with its indexes and the triggers that keep the balance. */
  static final String INTO_LEDGER = "INSERT INTO ledger_payments " + COLUMNS;

  /** Into a table with a primary key and nothing else. */
  static final String INTO_PLAIN = "INSERT INTO bench_payments " + COLUMNS;

  private PaymentRow() {}

  static Tuple of(Payment payment) {
    JsonObject metadata = new JsonObject();
    payment.details().metadata().members().forEach((name, v) -> metadata.put(name, v.toString()));
    return Tuple.tuple()
        .addString(payment.id())
        .addString(payment.tenant())
        .addString(payment.origin().idempotencyKey())
        .addString(payment.origin().derivedKey())
        .addString(payment.origin().pspCharge())
        .addLong(payment.origin().createdAtEpochMillis())
        .addLong(payment.details().amount())
        .addString(payment.details().currency())
        .addString(payment.details().paymentMethod())
        .addString(payment.details().customer().orElse(null))
        .addString(payment.details().description().orElse(null))
        .addString(metadata.encode())
        .addString(payment.status().text())
        .addLong(payment.state().capturedAmount())
        .addLong(payment.state().refundedAmount())
        .addBoolean(payment.state().disputed())
        .addString(payment.state().closingKey().orElse(null))
        .addLong(payment.state().updatedAtEpochMillis())
        .addLong(payment.version());
  }

  /** A pool as one would set it up for this: statements prepared once, plans that scale. */
  static Pool pool(Vertx vertx, String uri, int size) {
    PgConnectOptions options =
        PgConnectOptions.fromUri(uri)
            .setCachePreparedStatements(true)
            .setPreparedStatementCacheSqlFilter(sql -> true)
            .setProperties(
                Map.of(
                    "synchronous_commit", "on",
                    "jit", "off",
                    "enable_seqscan", "off",
                    "plan_cache_mode", "force_generic_plan"));
    return PgBuilder.pool()
        .using(vertx)
        .with(new PoolOptions().setMaxSize(size))
        .connectingTo(options)
        .build();
  }
}
