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
import dev.latchkey.ledger.RefundQuery;
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
 * The ledger in Postgres, over {@link #schema()}. Each call is one statement, except two concurrent
 * puts of one new customer, and a read whose connection breaks, which is sent once more. Each
 * statement ends within {@link PostgresStoreOptions#getCallTimeoutMillis}, with {@link
 * StoreException} if it fails; a lost connection is remade.
 *
 * <p>Lists are ordered by a number that a payment takes just before it commits, so payments of
 * different transactions may become visible out of that order: a payment that commits while a list
 * is paged through may appear on a later page instead of before the first one. A payment that was
 * committed before the first page was requested appears on the pages exactly once, and no payment
 * appears twice.
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
   * Creates a ledger over existing connections.
   *
   * @param statements connections to the database; not closed here
   */
  public PostgresLedger(PostgresStatements statements) {
    this.statements = statements;
  }

  /**
   * Creates a ledger with connections of its own.
   *
   * @param vertx runs the connections; closing it closes them
   * @param database of the ledger
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
    return read("find-psp-refund", Reads.refundByPspId(pspRefund), first(Rows::refund));
  }

  @Override
  public Future<Optional<Page<Payment>>> listPayments(PaymentQuery query) {
    boolean started = query.startingAfter().isPresent();
    return read(
        "list-payments",
        Reads.page(query),
        rows -> page(rows, query.limit(), started, 0, Rows::payment));
  }

  @Override
  public Future<Optional<Refund>> findRefund(String tenant, String id) {
    return read("find-refund", Reads.refund(tenant, id), first(Rows::refund));
  }

  @Override
  public Future<Optional<Page<Refund>>> listRefunds(RefundQuery query) {
    boolean started = query.startingAfter().isPresent();
    return read(
        "list-refunds",
        Reads.refunds(query),
        rows -> page(rows, query.limit(), started, 1, Rows::refund));
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

  /** Empty if another put was first and this one must be sent again. */
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

  /** The id is the first column of a payment and the second of a refund. */
  private static <T> Optional<Page<T>> page(
      RowSet<Row> rows, int limit, boolean started, int idColumn, Function<Row, T> read) {
    if (rows.size() == 0 && started) {
      return Optional.empty();
    }
    List<T> data = new ArrayList<>(rows.size());
    for (Row row : rows) {
      if (row.getString(idColumn) != null) {
        data.add(read.apply(row));
      }
    }
    return Optional.of(Page.of(data, limit));
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
