package dev.latchkey.ledger.memory;

import dev.latchkey.ledger.Balance;
import dev.latchkey.ledger.Page;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentFilter;
import dev.latchkey.ledger.PaymentQuery;
import dev.latchkey.ledger.PaymentState;
import dev.latchkey.ledger.Refund;
import dev.latchkey.ledger.RefundQuery;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Payments, refunds and balances with their indexes. Payments are never removed. Not thread-safe:
 * {@link MemoryLedger} holds its lock around every call.
 */
final class PaymentTable {

  /** A payment's place in the lists. The number counts insertions. */
  private static final class Row {
    final int number;
    Payment payment;

    /** Oldest first. */
    List<Refund> refunds = List.of();

    Row(int number, Payment payment) {
      this.number = number;
      this.payment = payment;
    }
  }

  /** The payments of one tenant; every list has the oldest first. */
  private static final class Tenant {
    final List<Row> all = new ArrayList<>();
    final Map<String, List<Row>> byCustomer = new HashMap<>();
    final Map<String, List<Row>> byIdempotencyKey = new HashMap<>();
    final TreeMap<String, Balance> balances = new TreeMap<>();
  }

  private static final Comparator<Row> BY_NUMBER = Comparator.comparingInt(row -> row.number);

  private final Map<String, Row> byId = new HashMap<>();
  private final Map<String, Row> byCharge = new HashMap<>();
  private final Map<String, Tenant> tenants = new HashMap<>();
  private final Map<String, Refund> refunds = new HashMap<>();
  private final Map<String, Refund> refundsByPspId = new HashMap<>();

  Optional<Payment> payment(String id) {
    return payment(byId.get(id));
  }

  Optional<Payment> payment(String tenant, String id) {
    return payment(id).filter(payment -> payment.tenant().equals(tenant));
  }

  Optional<Payment> paymentByCharge(String pspCharge) {
    return payment(byCharge.get(pspCharge));
  }

  private static Optional<Payment> payment(@Nullable Row row) {
    return row == null ? Optional.empty() : Optional.of(row.payment);
  }

  Optional<Refund> refund(String id) {
    return Optional.ofNullable(refunds.get(id));
  }

  Optional<Refund> refundByPspId(String pspRefund) {
    return Optional.ofNullable(refundsByPspId.get(pspRefund));
  }

  List<Balance> balances(String tenant) {
    Tenant known = tenants.get(tenant);
    return known == null ? List.of() : List.copyOf(known.balances.values());
  }

  /** Returns a page, newest first; empty if the query starts after a payment it does not list. */
  Optional<Page<Payment>> page(PaymentQuery query) {
    List<Row> rows = rows(query);
    int next = rows.size() - 1;
    if (query.startingAfter().isPresent()) {
      Row start = byId.get(query.startingAfter().get());
      int index = start == null ? -1 : Collections.binarySearch(rows, start, BY_NUMBER);
      if (index < 0) {
        return Optional.empty();
      }
      next = index - 1;
    }
    List<Payment> found = new ArrayList<>();
    for (; next >= 0 && found.size() <= query.limit(); next--) {
      Payment payment = rows.get(next).payment;
      if (query.filter().passes(payment)) {
        found.add(payment);
      }
    }
    return Optional.of(Page.of(found, query.limit()));
  }

  /** Returns a page, newest first; empty if the query starts after a refund it does not list. */
  Optional<Page<Refund>> refunds(RefundQuery query) {
    Row row = byId.get(query.payment());
    List<Refund> all =
        row == null || !row.payment.tenant().equals(query.tenant()) ? List.of() : row.refunds;
    int next = all.size() - 1;
    if (query.startingAfter().isPresent()) {
      Refund start = refunds.get(query.startingAfter().get());
      int index = start == null ? -1 : all.indexOf(start);
      if (index < 0) {
        return Optional.empty();
      }
      next = index - 1;
    }
    List<Refund> found = new ArrayList<>();
    for (; next >= 0 && found.size() <= query.limit(); next--) {
      found.add(all.get(next));
    }
    return Optional.of(Page.of(found, query.limit()));
  }

  private List<Row> rows(PaymentQuery query) {
    Tenant tenant = tenants.get(query.tenant());
    if (tenant == null) {
      return List.of();
    }
    PaymentFilter filter = query.filter();
    if (filter.idempotencyKey().isPresent()) {
      // A key makes at most one payment per retention: this list is short enough to filter.
      List<Row> rows =
          tenant.byIdempotencyKey.getOrDefault(filter.idempotencyKey().get(), List.of());
      return filter.customer().isEmpty()
          ? rows
          : rows.stream()
              .filter(row -> row.payment.details().customer().equals(filter.customer()))
              .toList();
    }
    return filter
        .customer()
        .map(customer -> tenant.byCustomer.getOrDefault(customer, List.of()))
        .orElse(tenant.all);
  }

  /** Adds a payment; neither its id nor its charge is known. */
  void insert(Payment payment) {
    Row row = new Row(byId.size(), payment);
    byId.put(payment.id(), row);
    byCharge.put(payment.origin().pspCharge(), row);
    Tenant tenant = tenants.computeIfAbsent(payment.tenant(), name -> new Tenant());
    tenant.all.add(row);
    add(tenant.byIdempotencyKey, payment.origin().idempotencyKey(), row);
    payment.details().customer().ifPresent(customer -> add(tenant.byCustomer, customer, row));
    addToBalance(tenant, payment, 0, 0);
  }

  private static void add(Map<String, List<Row>> index, String key, Row row) {
    index.computeIfAbsent(key, unused -> new ArrayList<>(1)).add(row);
  }

  /** Replaces a known payment. */
  void replace(Payment payment) {
    Row row = byId.get(payment.id());
    Tenant tenant = tenants.get(payment.tenant());
    if (row == null || tenant == null) {
      throw new IllegalStateException("payment " + payment.id() + " is unknown");
    }
    PaymentState before = row.payment.state();
    row.payment = payment;
    addToBalance(tenant, payment, before.capturedAmount(), before.refundedAmount());
  }

  /** Adds a refund of a known payment. */
  void put(Refund refund) {
    Row row = byId.get(refund.payment());
    if (row == null) {
      throw new IllegalStateException("payment " + refund.payment() + " is unknown");
    }
    if (row.refunds.isEmpty()) {
      row.refunds = new ArrayList<>(1);
    }
    row.refunds.add(refund);
    refunds.put(refund.id(), refund);
    refundsByPspId.put(refund.pspRefund(), refund);
  }

  private static void addToBalance(
      Tenant tenant, Payment payment, long capturedBefore, long refundedBefore) {
    PaymentState state = payment.state();
    if (state.capturedAmount() == 0) {
      return;
    }
    Balance change =
        new Balance(
            payment.details().currency(),
            state.capturedAmount() - capturedBefore,
            state.refundedAmount() - refundedBefore,
            capturedBefore == 0 ? 1 : 0);
    tenant.balances.merge(change.currency(), change, PaymentTable::sum);
  }

  private static Balance sum(Balance one, Balance other) {
    return new Balance(
        one.currency(),
        one.captured().add(other.captured()),
        one.refunded().add(other.refunded()),
        one.payments() + other.payments());
  }
}
