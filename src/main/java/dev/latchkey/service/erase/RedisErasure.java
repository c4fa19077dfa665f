package dev.latchkey.service.erase;

import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponseCodec;
import dev.latchkey.ledger.Page;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentFilter;
import dev.latchkey.ledger.PaymentQuery;
import dev.latchkey.ledger.redis.RedisLedger;
import dev.latchkey.store.redis.RedisKeys;
import dev.latchkey.store.redis.RedisStore;
import dev.latchkey.store.redis.connection.RedisConnections;
import dev.latchkey.store.redis.connection.RedisScript;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds personal data in Redis, on a cluster too, because one server holds all keys of a tenant.
 * Blocks, so it is for the thread of a command only.
 */
final class RedisErasure {

  private static final RedisScript SCAN = RedisScript.of(own("scan.lua"));
  private static final RedisScript RESPONSES = onRecords("responses.lua");
  private static final RedisScript REPLACE = onRecords("replace.lua");
  private static final RedisScript PAYMENT =
      RedisScript.of(
          RedisScript.resource(RedisLedger.class, "payment.lua") + "\n" + own("payment.lua"));
  private static final RedisScript CUSTOMER = RedisScript.of(own("customer.lua"));

  private final RedisConnections connections;

  RedisErasure(RedisConnections connections) {
    this.connections = connections;
  }

  private static String own(String name) {
    return RedisScript.resource(RedisErasure.class, name);
  }

  private static RedisScript onRecords(String name) {
    return RedisScript.of(
        RedisScript.resource(RedisStore.class, "clock.lua")
            + "\nlocal CHANNEL = ''\n"
            + RedisScript.resource(RedisStore.class, "core.lua")
            + "\n"
            + own(name));
  }

  private Future<Response> run(RedisScript script, List<String> keys, List<?> args) {
    return connections.run("erase", script, keys, args, result -> result);
  }

  /** Adds the subject's payments to a set, and returns what can be removed from the ledger. */
  List<Removal> ledger(Subject subject, Set<String> payments) {
    List<Removal> removals = new ArrayList<>();
    String ledger = RedisKeys.name(subject.tenant(), "ledger");
    RedisLedger reads = new RedisLedger(connections);
    Optional<String> id = Optional.of(subject.id());
    PaymentFilter filter =
        subject.isCustomer()
            ? PaymentFilter.of(id, Optional.empty())
            : PaymentFilter.of(Optional.empty(), id);
    Optional<String> after = Optional.empty();
    Page<Payment> page;
    do {
      page =
          reads
              .listPayments(
                  new PaymentQuery(subject.tenant(), PaymentQuery.MAX_LIMIT, after, filter))
              .await()
              .orElseThrow();
      for (Payment payment : page.data()) {
        payments.add(payment.id());
        after = Optional.of(payment.id());
        Removal.ofPayment(
                payment.id(),
                payment.details().customer().isPresent(),
                payment.details().description().isPresent(),
                !payment.details().metadata().members().isEmpty(),
                () -> erase(ledger, payment.id()))
            .ifPresent(removals::add);
      }
    } while (page.hasMore());
    if (subject.isCustomer()) {
      customer(subject, ledger).ifPresent(removals::add);
    }
    return removals;
  }

  private Future<?> erase(String ledger, String payment) {
    String now = Long.toString(System.currentTimeMillis());
    return run(PAYMENT, List.of(ledger), List.of(payment, now));
  }

  private Optional<Removal> customer(Subject subject, String ledger) {
    List<String> keys = List.of(RedisKeys.name(subject.tenant(), "customers"), ledger);
    List<String> args = List.of(subject.id(), "u:" + RedisKeys.escaped(subject.id()));
    List<String> count = List.of(args.get(0), args.get(1), "count");
    return run(CUSTOMER, keys, count).await().toInteger() == 0
        ? Optional.empty()
        : Optional.of(Removal.ofCustomer(subject.id(), () -> run(CUSTOMER, keys, args)));
  }

  /** Returns the stored responses that can be removed. */
  List<Removal> responses(Subject subject, Set<String> payments) {
    List<Removal> removals = new ArrayList<>();
    for (String name : records(subject.tenant())) {
      String key = RedisKeys.unescaped(name.substring(name.lastIndexOf(':') + 1));
      for (Response record : run(RESPONSES, List.of(name), List.of()).await()) {
        String route = record.get(0).toString();
        StoredResponse response = StoredResponseCodec.decode(record.get(1).toBytes());
        String hash = record.get(2).toString();
        subject
            .replacement(key, response, payments)
            .ifPresent(
                replacement ->
                    removals.add(
                        Removal.ofResponse(
                            "key",
                            key,
                            RedisKeys.unescaped(route),
                            () ->
                                run(
                                    REPLACE,
                                    List.of(name),
                                    List.of(
                                        route, hash, StoredResponseCodec.encode(replacement))))));
      }
    }
    return removals;
  }

  private Set<String> records(String tenant) {
    String prefix = RedisKeys.records(tenant, "");
    // Escaped names contain no other character that a pattern would interpret.
    String pattern = prefix.replaceAll("[\\[\\]*?\\\\^]", "\\\\$0") + "*";
    Set<String> names = new TreeSet<>();
    String cursor = "0";
    do {
      Response step = run(SCAN, List.of(prefix), List.of(cursor, pattern)).await();
      cursor = step.get(0).toString();
      step.get(1).forEach(name -> names.add(name.toString()));
    } while (!cursor.equals("0"));
    return names;
  }
}
