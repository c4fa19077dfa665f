package dev.latchkey.ledger.memory;

import dev.latchkey.ledger.Balance;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.Refund;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is kept and how it is found. Not thread-safe: {@link MemoryLedger} holds its lock around
 * every call. Lists are append-only and in the order of booking, so that a place in one is found by
 * binary search and never moves.
 */
final class Books {

  private final Map<String, Row> rows = new HashMap<>();
  private final Map<String, Row> rowsByCharge = new HashMap<>();
  private final Map<String, Refund> refundsByPspId = new HashMap<>();
  private final Map<String, Refund> refunds = new HashMap<>();
  private final Map<String, TenantBooks> tenants = new HashMap<>();
  private long nextSequence;

  /** A payment's place: the payment changes, the place does not. */
  static final class Row {
    final long sequence;
    Payment payment;

    Row(long sequence, Payment payment) {
      this.sequence = sequence;
      this.payment = payment;
    }
  }

  private static final class TenantBooks {
    final List<Row> all = new ArrayList<>();
    final Map<String, List<Row>> byCustomer = new HashMap<>();
    final Map<String, List<Row>> byIdempotencyKey = new HashMap<>();
    final TreeMap<String, Balance> balances = new TreeMap<>();
  }

  Optional<Payment> payment(String id) {
    return Optional.ofNullable(rows.get(id)).map(row -> row.payment);
  }

  Optional<Payment> paymentByCharge(String pspCharge) {
    return Optional.ofNullable(rowsByCharge.get(pspCharge)).map(row -> row.payment);
  }

  Optional<Refund> refund(String id) {
    return Optional.ofNullable(refunds.get(id));
  }

  Optional<Refund> refundByPspId(String pspRefund) {
    return Optional.ofNullable(refundsByPspId.get(pspRefund));
  }

  Optional<Row> row(String tenant, String id) {
    return Optional.ofNullable(rows.get(id)).filter(row -> row.payment.tenant().equals(tenant));
  }

  List<Row> all(String tenant) {
    TenantBooks books = tenants.get(tenant);
    return books == null ? List.of() : books.all;
  }

  List<Row> ofCustomer(String tenant, String customer) {
    TenantBooks books = tenants.get(tenant);
    return books == null ? List.of() : books.byCustomer.getOrDefault(customer, List.of());
  }

  List<Row> ofIdempotencyKey(String tenant, String key) {
    TenantBooks books = tenants.get(tenant);
    return books == null ? List.of() : books.byIdempotencyKey.getOrDefault(key, List.of());
  }

  List<Balance> balances(String tenant) {
    TenantBooks books = tenants.get(tenant);
    return books == null ? List.of() : List.copyOf(books.balances.values());
  }

  /** Books a payment that is new or has changed; ids and charges were checked before. */
  void put(Payment payment) {
    Row row = rows.get(payment.id());
    if (row == null) {
      insert(payment);
      addToBalance(payment, 0, 0);
    } else {
      Payment before = row.payment;
      row.payment = payment;
      addToBalance(payment, before.state().capturedAmount(), before.state().refundedAmount());
    }
  }

  void put(Refund refund) {
    refunds.put(refund.id(), refund);
    refundsByPspId.put(refund.pspRefund(), refund);
  }

  private void insert(Payment payment) {
    Row row = new Row(nextSequence++, payment);
    rows.put(payment.id(), row);
    rowsByCharge.put(payment.origin().pspCharge(), row);
    TenantBooks books = tenants.computeIfAbsent(payment.tenant(), tenant -> new TenantBooks());
    books.all.add(row);
    payment.details().customer().ifPresent(it -> append(books.byCustomer, it, row));
    append(books.byIdempotencyKey, payment.origin().idempotencyKey(), row);
  }

  private static void append(Map<String, List<Row>> index, String value, Row row) {
    index.computeIfAbsent(value, it -> new ArrayList<>(1)).add(row);
  }

  private void addToBalance(Payment payment, long capturedBefore, long refundedBefore) {
    long captured = payment.state().capturedAmount();
    if (captured == 0) {
      return;
    }
    Balance more =
        new Balance(
            payment.details().currency(),
            captured - capturedBefore,
            payment.state().refundedAmount() - refundedBefore,
            capturedBefore == 0 ? 1 : 0);
    tenants
        .computeIfAbsent(payment.tenant(), tenant -> new TenantBooks())
        .balances
        .merge(more.currency(), more, Books::sum);
  }

  private static Balance sum(Balance one, Balance other) {
    return new Balance(
        one.currency(),
        one.captured() + other.captured(),
        one.refunded() + other.refunded(),
        one.payments() + other.payments());
  }
}
