package dev.latchkey.ledger.postgres;

import dev.latchkey.core.spi.StoreException;
import dev.latchkey.ledger.Balance;
import dev.latchkey.ledger.Customer;
import dev.latchkey.ledger.CustomerPut;
import dev.latchkey.ledger.Ledger;
import dev.latchkey.ledger.Page;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentAmendment;
import dev.latchkey.ledger.PaymentQuery;
import dev.latchkey.ledger.Refund;
import dev.latchkey.store.postgres.PostgresSchema;
import dev.latchkey.store.postgres.PostgresStatements;
import dev.latchkey.store.postgres.PostgresStoreOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The books in Postgres, over the schema of {@code V2__ledger.sql}. Each call is one statement, but
 * for two puts of one new customer at a time, and a read whose connection broke, which is sent once
 * more. Each statement is answered within {@link PostgresStoreOptions#getCallTimeoutMillis}, with
 * {@link StoreException} if need be; a connection that was lost is made anew.
 *
 * <p>Lists are ordered by a number that a booking takes just before it commits. Bookings of
 * different transactions may therefore become visible out of that order, by as much as a commit
 * takes: a payment that commits while a list is paged through may turn up inside a later page of
 * it, and not only before the first. What was committed before the first page was asked for is in
 * the pages exactly once, and nothing ever is twice.
 */
public final class PostgresLedger implements Ledger {

  private static final int PUT_TRIES = 2;
  private static final long LOCK_MILLIS = 1_500;

  private static final PostgresSchema SCHEMA =
      new PostgresSchema(
          "dev/latchkey/ledger/postgres/migration",
          "latchkey_ledger_schema_history",
          List.of("V1__ledger.sql"),
          List.of(
              "ledger_payments",
              "ledger_refunds",
              "ledger_customers",
              "ledger_balances",
              "outbox_events"));

  private final PostgresStatements statements;

  /**
   * Makes a view of the books.
   *
   * @param statements connections to the database; not closed here
   */
  public PostgresLedger(PostgresStatements statements) {
    this.statements = statements;
  }

  /**
   * Makes a view of the books over connections of its own.
   *
   * @param vertx runs the connections, which end with it
   * @param database where the books are
   * @return the ledger
   */
  public static PostgresLedger create(Vertx vertx, PgConnectOptions database) {
    return new PostgresLedger(PostgresStatements.create(vertx, database, options()));
  }

  /** Returns the schema of the ledger, which is independent of that of the keys. */
  public static PostgresSchema schema() {
    return SCHEMA;
  }

  /** Returns options for the ledger: its writes wait longer than default for a locked row. */
  public static PostgresStoreOptions options() {
    return new PostgresStoreOptions()
        .setLockTimeoutMillis(LOCK_MILLIS)
        .setApplicationName("latchkey ledger");
  }

  @Override
  public Future<Optional<Payment>> findPayment(String tenant, String id) {
    return read("find-payment", Reads.payment(tenant, id), first(Rows::payment));
  }

  @Override
  public Future<Optional<Payment>> findPaymentByCharge(String pspCharge) {
    return read("find-charge", Reads.paymentByCharge(pspCharge), first(Rows::payment));
  }

  @Override
  public Future<Optional<Refund>> findRefundByPspId(String pspRefund) {
    return read("find-refund", Reads.refundByPspId(pspRefund), first(Rows::refund));
  }

  @Override
  public Future<Optional<Page>> listPayments(PaymentQuery query) {
    return read("list-payments", Reads.page(query), rows -> page(query, rows));
  }

  @Override
  public Future<List<Balance>> balance(String tenant) {
    return read("balance", Reads.balance(tenant), rows -> all(rows, Rows::balance));
  }

  @Override
  public Future<PaymentAmendment.Result> amendPayment(PaymentAmendment amendment) {
    return write(
        "amend-payment",
        UnkeyedWrites.amend(amendment),
        first(Rows::payment)
            .andThen(
                then ->
                    then.<PaymentAmendment.Result>map(PaymentAmendment.Amended::new)
                        .orElseGet(PaymentAmendment.NotAtVersion::new)));
  }

  @Override
  public Future<Optional<Customer>> findCustomer(String tenant, String id) {
    return read("find-customer", Reads.customer(tenant, id), first(Rows::customer));
  }

  @Override
  public Future<CustomerPut.Result> putCustomer(CustomerPut put) {
    return put(put, PUT_TRIES);
  }

  @Override
  public Future<Void> probe() {
    return read("probe", Reads.probe(), rows -> null);
  }

  private Future<CustomerPut.Result> put(CustomerPut put, int triesLeft) {
    return write("put-customer", UnkeyedWrites.put(put), PostgresLedger::written)
        .compose(
            result -> {
              if (result.isPresent()) {
                return Future.succeededFuture(result.get());
              }
              return triesLeft > 1
                  ? put(put, triesLeft - 1)
                  : Future.failedFuture(
                      new StoreException(
                          StoreException.Outcome.NOT_DONE,
                          "ledger put-customer: too many puts of one customer, retry"));
            });
  }

  /** Empty when another put was first and this one has to look again. */
  private static Optional<CustomerPut.Result> written(RowSet<Row> rows) {
    Row row = rows.iterator().next();
    boolean decided = row.getBoolean(8);
    if (row.getString(1) == null) {
      return decided ? Optional.of(new CustomerPut.ConditionFailed()) : Optional.empty();
    }
    Customer customer = Rows.customer(row);
    boolean made = row.getBoolean(7);
    return Optional.of(made ? new CustomerPut.Created(customer) : new CustomerPut.Stored(customer));
  }

  private static Optional<Page> page(PaymentQuery query, RowSet<Row> rows) {
    if (rows.size() == 0 && query.startingAfter().isPresent()) {
      return Optional.empty();
    }
    List<Payment> data = new ArrayList<>(rows.size());
    for (Row row : rows) {
      if (data.size() == query.limit()) {
        return Optional.of(new Page(data, true));
      }
      if (row.getString(0) != null) {
        data.add(Rows.payment(row));
      }
    }
    return Optional.of(new Page(data, false));
  }

  private static <T> Function<RowSet<Row>, Optional<T>> first(Function<Row, T> read) {
    return rows ->
        rows.size() == 0 ? Optional.empty() : Optional.of(read.apply(rows.iterator().next()));
  }

  private static <T> List<T> all(RowSet<Row> rows, Function<Row, T> read) {
    List<T> all = new ArrayList<>(rows.size());
    rows.forEach(row -> all.add(read.apply(row)));
    return all;
  }

  private <T> Future<T> read(String operation, Statement statement, Function<RowSet<Row>, T> how) {
    return statements.read("ledger " + operation, statement.sql(), statement.parameters()).map(how);
  }

  private <T> Future<T> write(String operation, Statement statement, Function<RowSet<Row>, T> how) {
    return statements
        .write("ledger " + operation, statement.sql(), statement.parameters())
        .map(how);
  }
}
