package dev.latchkey.ledger.redis;

import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.ledger.Page;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentFilter;
import dev.latchkey.ledger.PaymentQuery;
import dev.latchkey.ledger.Refund;
import dev.latchkey.ledger.RefundQuery;
import dev.latchkey.store.redis.RedisKeys;
import dev.latchkey.store.redis.connection.RedisConnections;
import dev.latchkey.store.redis.connection.RedisScript;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads the lists of the ledger. Each call to Redis reads at most {@value #MAX_ROWS} rows, so that
 * no list holds up other clients. Conditions without an index are tested here.
 */
record RedisLists(RedisConnections connections) {

  private static final int MAX_ROWS = PaymentQuery.MAX_LIMIT + 1;

  /** How many calls one list with a condition without an index may take. */
  private static final int MAX_CALLS = 1_000;

  private static final RedisScript PAYMENTS = RedisLedger.script("payment.lua", "list.lua");
  private static final RedisScript REFUNDS = RedisLedger.script("refunds.lua");

  Future<Optional<Page<Payment>>> payments(PaymentQuery query) {
    return payments(query, query.startingAfter(), new ArrayList<>(), MAX_CALLS);
  }

  private Future<Optional<Page<Payment>>> payments(
      PaymentQuery query, Optional<String> after, List<Payment> found, int callsLeft) {
    PaymentFilter filter = query.filter();
    return rows(query, after, filter.scans() ? MAX_ROWS : query.limit() + 1)
        .compose(
            rows -> {
              if (rows.isEmpty()) {
                return Future.succeededFuture(Optional.empty());
              }
              List<Payment> data = rows.get().data();
              data.stream()
                  .filter(filter::passes)
                  .limit(query.limit() + 1L - found.size())
                  .forEach(found::add);
              if (found.size() > query.limit() || !rows.get().hasMore()) {
                return Future.succeededFuture(Optional.of(Page.of(found, query.limit())));
              }
              if (callsLeft == 1) {
                return Future.failedFuture(
                    new StoreException(
                        Outcome.NOT_DONE,
                        "listPayments: too few of the newest %d payments pass the filter"
                            .formatted(MAX_CALLS * MAX_ROWS)));
              }
              Optional<String> last = Optional.of(data.get(data.size() - 1).id());
              return payments(query, last, found, callsLeft - 1);
            });
  }

  private Future<Optional<Page<Payment>>> rows(
      PaymentQuery query, Optional<String> after, int limit) {
    if (after.filter(String::isEmpty).isPresent()) {
      // For the script, an empty id means that none is given.
      return Future.succeededFuture(Optional.empty());
    }
    PaymentFilter filter = query.filter();
    List<String> args =
        List.of(
            Integer.toString(limit),
            after.orElse(""),
            filter.idempotencyKey().map(key -> ":" + RedisKeys.escaped(key)).orElse(""),
            PaymentRow.customer(filter.customer()));
    List<String> keys = List.of(LedgerKeys.ledger(query.tenant()));
    return connections.run(
        "listPayments", PAYMENTS, keys, args, page -> page(page, PaymentRow::read));
  }

  Future<Optional<Page<Refund>>> refunds(RefundQuery query) {
    if (query.startingAfter().filter(String::isEmpty).isPresent()) {
      return Future.succeededFuture(Optional.empty());
    }
    List<String> args =
        List.of(Integer.toString(query.limit()), query.payment(), query.startingAfter().orElse(""));
    List<String> keys = List.of(LedgerKeys.ledger(query.tenant()));
    return connections.run("listRefunds", REFUNDS, keys, args, page -> page(page, RefundRow::read));
  }

  /** Reads what both scripts return: whether more follow, and the rows; empty for no such list. */
  private static <T> Optional<Page<T>> page(Response result, Function<byte[], T> reader) {
    if (result.size() == 0) {
      return Optional.empty();
    }
    List<T> data = new ArrayList<>();
    result.get(1).forEach(row -> data.add(reader.apply(row.toBytes())));
    return Optional.of(new Page<>(data, result.get(0).toInteger() == 1));
  }
}
