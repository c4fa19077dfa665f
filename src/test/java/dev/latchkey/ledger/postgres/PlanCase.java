package dev.latchkey.ledger.postgres;

import dev.latchkey.ledger.CustomerPut;
import dev.latchkey.ledger.LedgerEffect;
import dev.latchkey.ledger.LedgerEffect.BookCancel;
import dev.latchkey.ledger.LedgerEffect.BookCapture;
import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import dev.latchkey.ledger.LedgerFixtures;
import dev.latchkey.ledger.Metadata;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentAmendment;
import dev.latchkey.ledger.PaymentFilter;
import dev.latchkey.ledger.PaymentQuery;
import dev.latchkey.ledger.Precondition;
import dev.latchkey.ledger.RefundQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;

/** The statements of the ledger, each upon rows that are there at every size but none. */
enum PlanCase {
  FIND_PAYMENT(0, size -> Reads.payment("big", id(7)), "ledger_payments_pkey"),
  FIND_CHARGE(0, size -> Reads.paymentByCharge("ch_7"), "ledger_payments_one_per_charge"),
  FIND_REFUND(
      0,
      size -> Reads.refundByPspId("psp_7"),
      "ledger_payments_pkey",
      "ledger_refunds_booked_once"),
  FIND_REFUND_BY_ID(
      0, size -> Reads.refund("big", "re_7"), "ledger_payments_pkey", "ledger_refunds_pkey"),
  LIST_REFUNDS(0, size -> refunds(""), "ledger_payments_pkey", "ledger_refunds_of_payment"),
  LIST_REFUNDS_ON(
      0,
      size -> refunds("re_7"),
      "ledger_payments_pkey",
      "ledger_refunds_of_payment",
      "ledger_refunds_pkey"),
  FIND_CUSTOMER(0, size -> Reads.customer("big", "cus_7"), "ledger_customers_pkey"),
  BALANCE(0, size -> Reads.balance("t7"), "ledger_balances_pkey"),
  LIST(0, size -> list("", "", ""), "ledger_payments_newest"),
  LIST_ON(
      0, size -> list(id(size - 1_001), "", ""), "ledger_payments_newest", "ledger_payments_pkey"),
  LIST_CUSTOMER(0, size -> list("", "cus_7", ""), "ledger_payments_of_customer"),
  LIST_CUSTOMER_ON(
      0,
      size -> list(id(7 + 101 * 60), "cus_7", ""),
      "ledger_payments_of_customer",
      "ledger_payments_pkey"),
  LIST_KEY(0, size -> list("", "", "key_3"), "ledger_payments_of_key"),
  LIST_KEY_ON(
      0, size -> list(id(13), "", "key_3"), "ledger_payments_of_key", "ledger_payments_pkey"),
  LIST_KEY_AND_CUSTOMER(0, size -> list("", "cus_13", "key_3"), "ledger_payments_of_key"),
  AMEND(
      0,
      size ->
          UnkeyedWrites.amend(
              new PaymentAmendment("big", id(7), 1, Optional.of("x"), Metadata.NONE, 5)),
      "ledger_payments_pkey"),
  PUT_CUSTOMER(
      1,
      size ->
          UnkeyedWrites.put(
              new CustomerPut(
                  "big", "cus_7", Optional.of("x"), Optional.empty(), Precondition.NONE, 5)),
      "ledger_customers_pkey"),
  // Into each index of the table and of the outbox, after a look into the two unique ones.
  INSERT_PAYMENTS(PlanCase.BATCH * (5 + 2 + 2), size -> batch(PlanCase::insert)),
  CAPTURES(
      PlanCase.BATCH * 2,
      size -> batch(i -> new BookCapture("big", id(open(i)), 1, 60, "d", 5)),
      "ledger_payments_pkey"),
  CANCELS(
      PlanCase.BATCH * 2,
      size -> batch(i -> new BookCancel("big", id(open(i)), 1, "d", 5)),
      "ledger_payments_pkey"),
  REFUNDS(PlanCase.BATCH * (3 + 2 + 2), size -> batch(PlanCase::refund), "ledger_payments_pkey");

  static final int BATCH = 20;

  /** All tables, each before those that it refers to. */
  static final List<String> TABLES =
      List.of(
          "ledger_refunds",
          "ledger_payments",
          "ledger_customers",
          "ledger_balances",
          "outbox_events");

  private final long writtenEntries;
  private final IntFunction<Statement> statement;
  private final Set<String> indexes;

  PlanCase(long writtenEntries, IntFunction<Statement> statement, String... indexes) {
    this.writtenEntries = writtenEntries;
    this.statement = statement;
    this.indexes = Set.of(indexes);
  }

  /** The statement, for tables with so many rows. */
  Statement statement(int size) {
    return statement.apply(size);
  }

  /** The indexes that it goes down to read. */
  Set<String> indexes() {
    return indexes;
  }

  /** How often it goes down an index to write, or to find out whether it may. */
  long writtenEntries() {
    return writtenEntries;
  }

  /**
   * Fills all tables with rows from one number to another. One payment in eight is yet to be
   * captured; one event in four is there, since events are written and not read.
   */
  static List<String> rows(int from, int to) {
    String numbers = " FROM generate_series(" + from + ", " + (to - 1) + ") i";
    String tenant = "CASE WHEN i % 2 = 1 THEN 'big' ELSE 't' || i % 1000 END";
    return List.of(
        "INSERT INTO ledger_payments SELECT 'pay_' || i, nextval('ledger_bookings'), "
            + tenant
            + ", 'key_' || i / 4, 'd', 'ch_' || i, 1, 100, 'EUR', 'pm_card_visa',"
            + " 'cus_' || i % 101, NULL, '{}',"
            + " CASE WHEN i % 8 = 1 THEN 'requires_capture' ELSE 'partially_refunded' END,"
            + " CASE WHEN i % 8 = 1 THEN 0 ELSE 100 END, (i % 8 <> 1)::integer, false, NULL, 1, 1"
            + numbers,
        "INSERT INTO ledger_refunds SELECT 're_' || i, 'pay_' || i, 1, NULL, 'psp_' || i, 'd', 1"
            + numbers
            + " WHERE i % 8 <> 1",
        "INSERT INTO ledger_customers SELECT 'big', 'cus_' || i, NULL, NULL, 1, 1, 1" + numbers,
        "INSERT INTO ledger_balances SELECT 't' || i / 64, 'EUR', i % 64, 1, 0, 1" + numbers,
        "INSERT INTO outbox_events (tenant, type, payment, version, created_at_ms, refund)"
            + " SELECT 'big', 'refund.created', 'pay_' || i, 1, 1, 're_' || i"
            + numbers
            + " WHERE i % 4 = 0");
  }

  private static String id(int number) {
    return "pay_" + number;
  }

  private static int open(int number) {
    return 8 * 61 * number + 1;
  }

  private static Statement list(String after, String customer, String key) {
    return Reads.page(
        new PaymentQuery("big", 20, given(after), PaymentFilter.of(given(customer), given(key))));
  }

  private static Statement refunds(String after) {
    return Reads.refunds(new RefundQuery("big", id(7), 20, given(after)));
  }

  private static Optional<String> given(String text) {
    return Optional.of(text).filter(it -> !it.isEmpty());
  }

  private static LedgerEffect insert(int number) {
    return new InsertPayment(LedgerFixtures.payment("big", "pay_new_" + number, 100, 100));
  }

  private static LedgerEffect refund(int number) {
    Payment payment = LedgerFixtures.payment("big", id(8 * 61 * number + 3), 100, 100);
    return LedgerFixtures.refund(payment, "re_new_" + number, 10);
  }

  private static Statement batch(IntFunction<LedgerEffect> effect) {
    List<LedgerEffect> effects = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      effects.add(effect.apply(i));
    }
    EffectStatement statement = EffectStatement.of(effects);
    return new Statement(statement.sql(), statement.parameters());
  }
}
