package dev.latchkey.ledger.redis;

import dev.latchkey.idempotency.spi.StoreException;
import dev.latchkey.idempotency.spi.StoreException.Outcome;
import dev.latchkey.ledger.Balance;
import dev.latchkey.ledger.Customer;
import dev.latchkey.ledger.CustomerPut;
import dev.latchkey.ledger.Ledger;
import dev.latchkey.ledger.Page;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentAmendment;
import dev.latchkey.ledger.PaymentQuery;
import dev.latchkey.ledger.Refund;
import dev.latchkey.store.redis.RedisConnections;
import dev.latchkey.store.redis.RedisKeys;
import dev.latchkey.store.redis.RedisScript;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The books in Redis: some hashes and sorted sets for each tenant, all of them on one node. Written
 * by {@link RedisLedgerEffects} in the store's completing scripts, and here where no key is needed.
 * Nothing in the books expires. Safe for use by any thread; every read is one script, so it sees
 * all of a commit or nothing.
 */
public final class RedisLedger implements Ledger {

  private static final RedisScript FIELD = script("field.lua");
  private static final RedisScript FIELDS = script("fields.lua");
  private static final RedisScript HOLDER = script("holder.lua");
  private static final RedisScript LIST = script("list.lua");
  private static final RedisScript AMEND = script("books.lua", "amend.lua");
  private static final RedisScript PUT_CUSTOMER = script("put_customer.lua");

  private final RedisConnections connections;

  /**
   * Reads books.
   *
   * @param connections to the Redis whose store writes them; stay the caller's
   */
  public RedisLedger(RedisConnections connections) {
    this.connections = connections;
  }

  private static RedisScript script(String... names) {
    StringBuilder text = new StringBuilder();
    for (String name : names) {
      text.append(RedisScript.resource(RedisLedger.class, name)).append('\n');
    }
    return RedisScript.of(text.toString());
  }

  @Override
  public Future<Optional<Payment>> findPayment(String tenant, String id) {
    return find("findPayment", List.of(BookKeys.payments(tenant)), id, PaymentRow::read);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Two round trips, since the tenant has to be found first.
   */
  @Override
  public Future<Optional<Payment>> findPaymentByCharge(String pspCharge) {
    return holder("findPaymentByCharge", BookKeys.chargeHolder(pspCharge))
        .compose(
            tenant ->
                tenant.isEmpty()
                    ? Future.succeededFuture(Optional.empty())
                    : find(
                        "findPaymentByCharge",
                        List.of(BookKeys.charges(tenant.get()), BookKeys.payments(tenant.get())),
                        pspCharge,
                        PaymentRow::read));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Two round trips, since the tenant has to be found first.
   */
  @Override
  public Future<Optional<Refund>> findRefundByPspId(String pspRefund) {
    return holder("findRefundByPspId", BookKeys.pspRefundHolder(pspRefund))
        .compose(
            tenant ->
                tenant.isEmpty()
                    ? Future.succeededFuture(Optional.empty())
                    : find(
                        "findRefundByPspId",
                        List.of(BookKeys.pspRefunds(tenant.get()), BookKeys.refunds(tenant.get())),
                        pspRefund,
                        RefundRow::read));
  }

  @Override
  public Future<Optional<Page>> listPayments(PaymentQuery query) {
    String tenant = query.tenant();
    List<String> keys = new ArrayList<>();
    Optional<String> ofCustomer =
        query.customer().map(customer -> BookKeys.listOfCustomer(tenant, customer));
    Optional<String> ofKey = query.idempotencyKey().map(key -> BookKeys.listOfKey(tenant, key));
    keys.add(ofKey.or(() -> ofCustomer).orElseGet(() -> BookKeys.list(tenant)));
    keys.add(BookKeys.payments(tenant));
    if (ofKey.isPresent()) {
      ofCustomer.ifPresent(keys::add);
    }
    List<String> args = List.of(Integer.toString(query.limit()), query.startingAfter().orElse(""));
    return run("listPayments", LIST, keys, args, RedisLedger::page);
  }

  private static Optional<Page> page(Response answer) {
    if (answer.size() == 0) {
      return Optional.empty();
    }
    List<Payment> payments = new ArrayList<>();
    answer.get(1).forEach(row -> payments.add(PaymentRow.read(row.toBytes())));
    return Optional.of(new Page(payments, answer.get(0).toInteger() == 1));
  }

  @Override
  public Future<List<Balance>> balance(String tenant) {
    return run(
        "balance", FIELDS, List.of(BookKeys.balance(tenant)), List.of(), RedisLedger::balances);
  }

  private static List<Balance> balances(Response fields) {
    Map<String, Balance> byCurrency = new TreeMap<>();
    for (int i = 0; i < fields.size(); i += 2) {
      String[] name = fields.get(i).toString().split(":", 2);
      long sum = fields.get(i + 1).toLong();
      Balance known = byCurrency.getOrDefault(name[0], new Balance(name[0], 0, 0, 0));
      byCurrency.put(
          name[0],
          switch (name[1]) {
            case "captured" -> new Balance(name[0], sum, known.refunded(), known.payments());
            case "refunded" -> new Balance(name[0], known.captured(), sum, known.payments());
            default -> new Balance(name[0], known.captured(), known.refunded(), sum);
          });
    }
    return List.copyOf(byCurrency.values());
  }

  @Override
  public Future<PaymentAmendment.Result> amendPayment(PaymentAmendment amendment) {
    List<Object> args =
        List.of(
            amendment.payment(),
            Long.toString(amendment.version()),
            Long.toString(amendment.atEpochMillis()),
            PaymentRow.texts(amendment.description(), amendment.metadata()));
    return run(
        "amendPayment",
        AMEND,
        List.of(BookKeys.payments(amendment.tenant())),
        args,
        row ->
            row.toBytes().length == 0
                ? new PaymentAmendment.NotAtVersion()
                : new PaymentAmendment.Amended(PaymentRow.read(row.toBytes())));
  }

  @Override
  public Future<Optional<Customer>> findCustomer(String tenant, String id) {
    return find(
        "findCustomer",
        List.of(BookKeys.customers(tenant)),
        RedisKeys.escaped(id),
        row -> CustomerRow.read(tenant, id, row));
  }

  @Override
  public Future<CustomerPut.Result> putCustomer(CustomerPut put) {
    List<Object> args =
        List.of(
            RedisKeys.escaped(put.id()),
            Long.toString(put.atEpochMillis()),
            CustomerRow.condition(put.precondition().ifMatch()),
            CustomerRow.condition(put.precondition().ifNoneMatch()),
            CustomerRow.said(put));
    return run(
        "putCustomer",
        PUT_CUSTOMER,
        List.of(BookKeys.customers(put.tenant())),
        args,
        answer -> {
          int what = answer.get(0).toInteger();
          if (what == 0) {
            return new CustomerPut.ConditionFailed();
          }
          Customer customer = CustomerRow.read(put.tenant(), put.id(), answer.get(1).toBytes());
          return what == 1 ? new CustomerPut.Created(customer) : new CustomerPut.Stored(customer);
        });
  }

  @Override
  public Future<Void> probe() {
    return connections.probe();
  }

  private Future<Optional<String>> holder(String operation, String name) {
    return run(
        operation,
        HOLDER,
        List.of(name),
        List.of(),
        holder ->
            Optional.of(holder.toString()).filter(it -> !it.isEmpty()).map(RedisKeys::unescaped));
  }

  private <R> Future<Optional<R>> find(
      String operation, List<String> keys, String field, Function<byte[], R> reader) {
    return run(
        operation,
        FIELD,
        keys,
        List.of(field),
        row -> Optional.of(row.toBytes()).filter(it -> it.length > 0).map(reader));
  }

  private <R> Future<R> run(
      String operation,
      RedisScript script,
      List<String> keys,
      List<?> args,
      Function<Response, R> reader) {
    return connections
        .run(operation, script, keys, args)
        .map(
            answer -> {
              try {
                return reader.apply(answer);
              } catch (RuntimeException unreadable) {
                throw new StoreException(
                    Outcome.UNKNOWN, operation + ": unreadable row: " + unreadable, unreadable);
              }
            });
  }
}
