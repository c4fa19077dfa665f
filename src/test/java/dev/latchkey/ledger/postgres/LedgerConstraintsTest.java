package dev.latchkey.ledger.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.testing.servers.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the database refuses whoever asks, by whatever statement. */
class LedgerConstraintsTest {

  private static final String COLUMNS =
      "(id, booking, tenant, idempotency_key, derived_key, psp_charge, created_at_ms, amount,"
          + " currency, payment_method, metadata, status, captured_amount, refunded_amount,"
          + " disputed, updated_at_ms, version)";

  private static Database database;

  @BeforeAll
  static void migrate() {
    database = LedgerDatabase.fresh();
  }

  @BeforeEach
  void twoPayments() {
    LedgerDatabase.empty(database);
    database.value(insert("pay_1", "ch_1", 100, "EUR", "succeeded", 60, 0));
    database.value(insert("pay_2", "ch_2", 100, "EUR", "requires_capture", 0, 0));
    database.value(
        "WITH p AS (UPDATE ledger_payments SET refunded_amount = 10, version = 2,"
            + " status = 'partially_refunded' WHERE id = 'pay_1') "
            + refund("re_1", "pay_1", 10, "psp_1"));
  }

  @ParameterizedTest
  @CsvSource({
    "pay_1, ch_3, 100, EUR, succeeded, 100, 0",
    "pay_3, ch_1, 100, EUR, succeeded, 100, 0",
    "pay_3, ch_3, 0, EUR, requires_capture, 0, 0",
    "pay_3, ch_3, 100000000000, EUR, requires_capture, 0, 0",
    "pay_3, ch_3, 100, eur, succeeded, 100, 0",
    "pay_3, ch_3, 100, EUR, succeeded, 101, 0",
    "pay_3, ch_3, 100, EUR, succeeded, 0, 0",
    "pay_3, ch_3, 100, EUR, succeeded, 100, 1",
    "pay_3, ch_3, 100, EUR, requires_capture, 1, 0",
    "pay_3, ch_3, 100, EUR, canceled, 1, 0",
    "pay_3, ch_3, 100, EUR, refunded, 100, 99",
    "pay_3, ch_3, 100, EUR, refunded, 0, 0",
    "pay_3, ch_3, 100, EUR, partially_refunded, 100, 100",
    "pay_3, ch_3, 100, EUR, partially_refunded, 50, 51",
    "pay_3, ch_3, 100, EUR, lost, 0, 0"
  })
  void noPaymentThatDoesNotAddUp(
      String id,
      String charge,
      long amount,
      String currency,
      String status,
      long captured,
      long refunded) {
    assertRefused(insert(id, charge, amount, currency, status, captured, refunded));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE ledger_payments SET refunded_amount = 61, version = 3 WHERE id = 'pay_1'",
        "UPDATE ledger_payments SET refunded_amount = 20, version = 3 WHERE id = 'pay_1'",
        "UPDATE ledger_payments SET refunded_amount = 0, status = 'succeeded', version = 3"
            + " WHERE id = 'pay_1'",
        "UPDATE ledger_payments SET captured_amount = 70, version = 3 WHERE id = 'pay_1'",
        "UPDATE ledger_payments SET status = 'succeeded', version = 3 WHERE id = 'pay_1'",
        "UPDATE ledger_payments SET amount = 200, version = 2 WHERE id = 'pay_2'",
        "UPDATE ledger_payments SET psp_charge = 'ch_9', version = 2 WHERE id = 'pay_2'",
        "UPDATE ledger_payments SET disputed = true WHERE id = 'pay_2'",
        "UPDATE ledger_payments SET disputed = true, version = 3 WHERE id = 'pay_2'",
        "DELETE FROM ledger_payments WHERE id = 'pay_2'",
        "DELETE FROM ledger_refunds",
        "UPDATE ledger_refunds SET amount = 1",
        "INSERT INTO ledger_refunds VALUES ('re_2', 'pay_1', 10, NULL, 'psp_1', 'd', 1)",
        "INSERT INTO ledger_refunds VALUES ('re_1', 'pay_1', 10, NULL, 'psp_2', 'd', 1)",
        "INSERT INTO ledger_refunds VALUES ('re_2', 'pay_9', 10, NULL, 'psp_2', 'd', 1)",
        "INSERT INTO ledger_refunds VALUES ('re_2', 'pay_1', 0, NULL, 'psp_2', 'd', 1)",
        "INSERT INTO ledger_refunds VALUES ('re_2', 'pay_1', 10, NULL, 'psp_2', 'd', 1)"
      })
  void ledgerRejectsDuplicatedOrLostMoney(String sql) {
    assertRefused(sql);
  }

  @Test
  void oneEventPerChange() {
    String event =
        "INSERT INTO outbox_events (tenant, type, payment, version, created_at_ms, refund)"
            + " VALUES ('acme', '%s', 'pay_1', 2, 1, 're_1')";
    database.value(event.formatted("refund.created"));

    assertRefused(event.formatted("refund.created"));
    assertRefused(event.formatted("payment.captured"));
    assertRefused(event.formatted("payment.lost"));
  }

  @Test
  void refusedEffectDoesNotChangeTheBalance() {
    String before = "SELECT sum(captured) || '/' || sum(refunded) FROM ledger_balances";
    assertThat(database.value(before)).isEqualTo("60/10");

    assertRefused("UPDATE ledger_payments SET captured_amount = 101, version = 2");

    assertThat(database.value(before)).isEqualTo("60/10");
  }

  private static String insert(
      String id,
      String charge,
      long amount,
      String currency,
      String status,
      long captured,
      long refunded) {
    return "INSERT INTO ledger_payments %s VALUES ('%s', 1, 'acme', 'k', 'd', '%s', 1, %d, '%s',"
            .formatted(COLUMNS, id, charge, amount, currency)
        + " 'pm', '{}', '%s', %d, %d, false, 1, 1)".formatted(status, captured, refunded);
  }

  private static String refund(String id, String payment, long amount, String pspRefund) {
    return "INSERT INTO ledger_refunds VALUES ('%s', '%s', %d, NULL, '%s', 'd', 1)"
        .formatted(id, payment, amount, pspRefund);
  }

  /** Integrity constraint violations are SQLSTATE class 23. */
  private static void assertRefused(String sql) {
    assertThatThrownBy(
            () -> {
              try (Connection connection = database.jdbc();
                  Statement statement = connection.createStatement()) {
                statement.execute(sql);
              }
            })
        .as(sql)
        .isInstanceOfSatisfying(
            SQLException.class, refused -> assertThat(refused.getSQLState()).startsWith("23"));
  }
}
