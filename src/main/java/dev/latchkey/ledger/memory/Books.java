package dev.latchkey.ledger.memory;

import dev.latchkey.ledger.Balance;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentState;
import dev.latchkey.ledger.Refund;
import java.util.ArrayList;
import java.util.Collections;
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
  private final Map<Row, Row> latestByKey = new HashMap<>();
  private final Map<String, TenantBooks> tenants = new HashMap<>();
  private final Packer packer = new Packer();
  private long nextSequence;

  private static final class TenantBooks {
    final List<Row> all = new ArrayList<>();
    final Map<String, List<Row>> byCustomer = new HashMap<>();
    final TreeMap<String, Balance> balances = new TreeMap<>();
  }

  boolean hasPayment(String id) {
    return rows.containsKey(id);
  }

  boolean hasCharge(String pspCharge) {
    return rowsByCharge.containsKey(pspCharge);
  }

  Optional<Payment> payment(String id) {
    return Optional.ofNullable(rows.get(id)).map(PackedPayment::unpack);
  }

  Optional<Payment> paymentByCharge(String pspCharge) {
    return Optional.ofNullable(rowsByCharge.get(pspCharge)).map(PackedPayment::unpack);
  }

  Optional<Refund> refund(String id) {
    return Optional.ofNullable(refunds.get(id));
  }

  Optional<Refund> refundByPspId(String pspRefund) {
    return Optional.ofNullable(refundsByPspId.get(pspRefund));
  }

  Optional<Row> row(String tenant, String id) {
    return Optional.ofNullable(rows.get(id)).filter(row -> row.tenant.equals(tenant));
  }

  List<Row> all(String tenant) {
    TenantBooks books = tenants.get(tenant);
    return books == null ? List.of() : books.all;
  }

  List<Row> ofCustomer(String tenant, String customer) {
    TenantBooks books = tenants.get(tenant);
    return books == null ? List.of() : books.byCustomer.getOrDefault(customer, List.of());
  }

  /** The payments of a key, one for each of its lives, oldest first. */
  List<Row> ofIdempotencyKey(String tenant, String key) {
    List<Row> found = new ArrayList<>();
    for (Row row = latestByKey.get(new Row(tenant, key)); row != null; row = row.earlier) {
      found.add(row);
    }
    Collections.reverse(found);
    return found;
  }

  List<Balance> balances(String tenant) {
    TenantBooks books = tenants.get(tenant);
    return books == null ? List.of() : List.copyOf(books.balances.values());
  }

  /** Books a payment that is new or has changed; ids and charges were checked before. */
  void put(Payment payment) {
    Row row = rows.get(payment.id());
    if (row == null) {
      insert(payment).packed = PackedPayment.pack(payment, packer);
      addToBalance(payment, 0, 0);
    } else {
      PaymentState before = PackedPayment.unpack(row).state();
      row.packed = PackedPayment.pack(payment, packer);
      addToBalance(payment, before.capturedAmount(), before.refundedAmount());
    }
  }

  void put(Refund refund) {
    refunds.put(refund.id(), refund);
    refundsByPspId.put(refund.pspRefund(), refund);
  }

  private Row insert(Payment payment) {
    Row row = new Row(nextSequence++, payment);
    rows.put(row.id, row);
    rowsByCharge.put(row.pspCharge, row);
    row.earlier = latestByKey.put(row, row);
    TenantBooks books = tenants.computeIfAbsent(row.tenant, tenant -> new TenantBooks());
    books.all.add(row);
    payment.details().customer().ifPresent(it -> append(books.byCustomer, it, row));
    return row;
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
