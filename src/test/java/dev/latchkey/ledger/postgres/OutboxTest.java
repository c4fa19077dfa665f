package dev.latchkey.ledger.postgres;

import static dev.latchkey.ledger.LedgerFixtures.payment;
import static dev.latchkey.ledger.LedgerFixtures.refund;
import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.ledger.CustomerPut;
import dev.latchkey.ledger.LedgerEffect;
import dev.latchkey.ledger.LedgerEffect.BookCancel;
import dev.latchkey.ledger.LedgerEffect.BookCapture;
import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import dev.latchkey.ledger.Metadata;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentAmendment;
import dev.latchkey.ledger.Precondition;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.Database;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One event for each change of a payment, and none for anything else. */
class OutboxTest {

  private static Database database;
  private static Vertx vertx;
  private static Pool pool;

  @BeforeAll
  static void connect() {
    database = LedgerDatabase.fresh();
    vertx = TestVertx.create();
    pool = RawPool.create(vertx, database.connectOptions(), 2);
  }

  @AfterAll
  static void disconnect() {
    await(pool.close());
    await(vertx.close());
  }

  @BeforeEach
  void empty() {
    LedgerDatabase.empty(database);
  }

  @Test
  void eventsOfAPaymentAreInOrder() {
    Payment payment = payment("acme", "pay_1", 100, 0);
    apply(new InsertPayment(payment));
    apply(new BookCapture("acme", "pay_1", 1, 60, "d", 3_000));
    apply(refund(payment, "re_1", 10));
    apply(refund(payment, "re_2", 50));

    assertThat(events("pay_1"))
        .containsExactly(
            "1 payment.requires_capture requires_capture 0/0 1000",
            "2 payment.captured succeeded 60/0 3000",
            "3 refund.created re_1 2000",
            "4 refund.created re_2 2000");
  }

  @Test
  void capturedPaymentHasOneEvent() {
    apply(new InsertPayment(payment("acme", "pay_1", 100, 100)));

    assertThat(events("pay_1")).containsExactly("1 payment.succeeded succeeded 100/0 1000");
  }

  @Test
  void cancelHasAnEvent() {
    apply(new InsertPayment(payment("acme", "pay_1", 100, 0)));
    apply(new BookCancel("acme", "pay_1", 1, "d", 3_000));

    assertThat(events("pay_1").get(1)).isEqualTo("2 payment.canceled canceled 0/0 3000");
  }

  @Test
  void captureRecordedByARefundPrecedesIt() {
    Payment payment = payment("acme", "pay_1", 100, 0);
    apply(new InsertPayment(payment));
    apply(refund(payment, "re_1", 30));
    apply(refund(payment, "re_2", 30));

    assertThat(events("pay_1"))
        .containsExactly(
            "1 payment.requires_capture requires_capture 0/0 1000",
            "2 payment.captured succeeded 100/0 2000",
            "2 refund.created re_1 2000",
            "3 refund.created re_2 2000");
  }

  @Test
  void amendmentRaisesTheVersionWithoutEvent() {
    PostgresLedger ledger = PostgresLedger.create(vertx, database.connectOptions());
    apply(new InsertPayment(payment("acme", "pay_1", 100, 0)));
    await(
        ledger.amendPayment(
            new PaymentAmendment("acme", "pay_1", 1, Optional.of("new"), Metadata.NONE, 5)));
    await(
        ledger.putCustomer(
            new CustomerPut(
                "acme", "c", Optional.empty(), Optional.empty(), Precondition.NONE, 5)));
    apply(new BookCapture("acme", "pay_1", 2, 60, "d", 3_000));

    assertThat(events("pay_1"))
        .containsExactly(
            "1 payment.requires_capture requires_capture 0/0 1000",
            "3 payment.captured succeeded 60/0 3000");
    assertThat(database.value("SELECT description FROM outbox_events WHERE version = 3"))
        .isEqualTo("new");
  }

  @Test
  void refusedEffectHasNoEvent() {
    apply(new InsertPayment(payment("acme", "pay_1", 100, 0)));
    assertThat(
            await(
                EffectStatement.of(List.of(new BookCapture("acme", "pay_1", 1, 101, "d", 3_000)))
                    .run(pool)))
        .isEmpty();

    assertThat(events("pay_1")).hasSize(1);
  }

  @Test
  void eventsAreIdentifiedAndNameTheirTenant() {
    apply(
        new InsertPayment(payment("acme", "pay_1", 100, 0)),
        new InsertPayment(payment("other", "pay_2", 100, 0)));

    // A transaction of any database of the server may still be open that began before these.
    Await.until("both events are settled", () -> settledEvents().equals("2"));
    assertThat(database.value("SELECT tenant FROM outbox_events WHERE payment = 'pay_2'"))
        .isEqualTo("other");
  }

  /** How many a relay would see now. */
  private static String settledEvents() {
    return database.value(
        "SELECT count(DISTINCT (payment, version, type)) FROM outbox_events"
            + " WHERE written_by < pg_snapshot_xmin(pg_current_snapshot())");
  }

  private static void apply(LedgerEffect... effects) {
    assertThat(await(EffectStatement.of(List.of(effects)).run(pool))).hasSize(effects.length);
  }

  /** The events of a payment in the order of their delivery. */
  private static List<String> events(String payment) {
    List<String> events = new ArrayList<>();
    try (var connection = database.jdbc();
        var statement =
            connection.prepareStatement(
                """
                SELECT concat_ws(' ', version, type, coalesce(refund, status),
                  captured_amount || '/' || refunded_amount, created_at_ms)
                FROM outbox_events WHERE payment = ? ORDER BY version, sequence
                """)) {
      statement.setString(1, payment);
      try (var rows = statement.executeQuery()) {
        while (rows.next()) {
          events.add(rows.getString(1));
        }
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return events;
  }
}
