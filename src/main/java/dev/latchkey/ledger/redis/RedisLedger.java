package dev.latchkey.ledger.redis;

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
import dev.latchkey.store.redis.RedisKeys;
import dev.latchkey.store.redis.connection.RedisConnections;
import dev.latchkey.store.redis.connection.RedisScript;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A ledger in Redis: for each tenant one hash of payments and one of customers, on one node. {@link
 * RedisLedgerEffects} writes it in the completing scripts of the store; this class writes what
 * needs no idempotency key. Nothing in it expires. Safe for use by any thread. Every read but a
 * list with conditions without an index is one call, so it sees a commit completely or not at all.
 */
public final class RedisLedger implements Ledger {

  private static final RedisScript FIELD = script("field.lua");
  private static final RedisScript BALANCES = script("balances.lua");
  private static final RedisScript AMEND = script("payment.lua", "amend.lua");
  private static final RedisScript PUT_CUSTOMER = script("put_customer.lua");

  /** As in {@code balance.lua}. */
  private static final BigInteger SUM_BASE = BigInteger.valueOf(1_000_000_000_000_000L);

  private final RedisConnections connections;
  private final RedisLists lists;

  /** Makes a ledger over the connections of the store that writes it. */
  public RedisLedger(RedisConnections connections) {
    this.connections = connections;
    lists = new RedisLists(connections);
  }

  static RedisScript script(String... names) {
    StringBuilder text = new StringBuilder();
    for (String name : names) {
      text.append(RedisScript.resource(RedisLedger.class, name)).append('\n');
    }
    return RedisScript.of(text.toString());
  }

  @Override
  public Future<Optional<Payment>> findPayment(String tenant, String id) {
    String ledger = LedgerKeys.ledger(tenant);
    return field("findPayment", ledger, LedgerKeys.payment(id), PaymentRow::read);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Two round trips: the first finds the tenant.
   */
  @Override
  public Future<Optional<Payment>> findPaymentByCharge(String pspCharge) {
    return holder("findPaymentByCharge", LedgerKeys.chargeHolder(pspCharge))
        .compose(
            tenant ->
                tenant.isEmpty()
                    ? Future.succeededFuture(Optional.empty())
                    : find(
                        "findPaymentByCharge",
                        tenant.get(),
                        List.of(LedgerKeys.charge(pspCharge), LedgerKeys.payment("")),
                        PaymentRow::read));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Two round trips: the first finds the tenant.
   */
  @Override
  public Future<Optional<Refund>> findRefundByPspId(String pspRefund) {
    return holder("findRefundByPspId", LedgerKeys.pspRefundHolder(pspRefund))
        .compose(
            tenant ->
                tenant.isEmpty()
                    ? Future.succeededFuture(Optional.empty())
                    : find(
                        "findRefundByPspId",
                        tenant.get(),
                        List.of(LedgerKeys.pspRefund(pspRefund), LedgerKeys.refund("")),
                        RefundRow::read));
  }

  @Override
  public Future<Optional<Page<Payment>>> listPayments(PaymentQuery query) {
    return lists.payments(query);
  }

  @Override
  public Future<Optional<Refund>> findRefund(String tenant, String id) {
    String ledger = LedgerKeys.ledger(tenant);
    return field("findRefund", ledger, LedgerKeys.refund(id), RefundRow::read);
  }

  @Override
  public Future<Optional<Page<Refund>>> listRefunds(RefundQuery query) {
    return lists.refunds(query);
  }

  @Override
  public Future<List<Balance>> balance(String tenant) {
    return connections.run(
        "balance", BALANCES, List.of(LedgerKeys.ledger(tenant)), List.of(), RedisLedger::balances);
  }

  private static List<Balance> balances(Response sums) {
    Map<String, Balance> byCurrency = new TreeMap<>();
    for (int i = 0; i < sums.size(); i += 2) {
      String currency = sums.get(i).toString();
      ByteBuffer packed = ByteBuffer.wrap(sums.get(i + 1).toBytes());
      BigInteger captured = sum(packed.getLong(), packed.getLong());
      BigInteger refunded = sum(packed.getLong(), packed.getLong());
      byCurrency.put(currency, new Balance(currency, captured, refunded, packed.getLong()));
    }
    return List.copyOf(byCurrency.values());
  }

  private static BigInteger sum(long high, long low) {
    return BigInteger.valueOf(high).multiply(SUM_BASE).add(BigInteger.valueOf(low));
  }

  @Override
  public Future<PaymentAmendment.Result> amendPayment(PaymentAmendment amendment) {
    List<Object> args =
        List.of(
            amendment.payment(),
            Long.toString(amendment.version()),
            Long.toString(amendment.atEpochMillis()),
            PaymentRow.texts(amendment.description(), amendment.metadata()));
    return connections.run(
        "amendPayment",
        AMEND,
        List.of(LedgerKeys.ledger(amendment.tenant())),
        args,
        row ->
            row.toBytes().length == 0
                ? new PaymentAmendment.NotAtVersion()
                : new PaymentAmendment.Amended(PaymentRow.read(row.toBytes())));
  }

  @Override
  public Future<Optional<Customer>> findCustomer(String tenant, String id) {
    return field(
        "findCustomer",
        LedgerKeys.customers(tenant),
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
            CustomerRow.content(put));
    return connections.run(
        "putCustomer",
        PUT_CUSTOMER,
        List.of(LedgerKeys.customers(put.tenant())),
        args,
        result -> {
          int what = result.get(0).toInteger();
          if (what == 0) {
            return new CustomerPut.ConditionFailed();
          }
          Customer customer = CustomerRow.read(put.tenant(), put.id(), result.get(1).toBytes());
          return what == 1 ? new CustomerPut.Created(customer) : new CustomerPut.Stored(customer);
        });
  }

  @Override
  public Future<Void> probe() {
    return connections.probe();
  }

  private Future<Optional<String>> holder(String operation, String name) {
    return connections.read(operation, it -> RedisKeys.unescaped(it.toString()), "GET", name);
  }

  private <R> Future<Optional<R>> field(
      String operation, String hash, String field, Function<byte[], R> reader) {
    return connections.read(operation, it -> reader.apply(it.toBytes()), "HGET", hash, field);
  }

  /** Follows a field that holds an id: the field, and the prefix of the field to read. */
  private <R> Future<Optional<R>> find(
      String operation, String tenant, List<String> fields, Function<byte[], R> reader) {
    return connections.run(
        operation,
        FIELD,
        List.of(LedgerKeys.ledger(tenant)),
        fields,
        row -> Optional.of(row.toBytes()).filter(it -> it.length > 0).map(reader));
  }
}
