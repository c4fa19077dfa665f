package dev.latchkey.ledger.memory;

import dev.latchkey.ledger.Balance;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentState;
import dev.latchkey.ledger.Refund;
import dev.latchkey.packed.HashIndex;
import dev.latchkey.packed.Packer;
import dev.latchkey.packed.RecordLog;
import dev.latchkey.packed.TextHash;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is kept and how it is found. Not thread-safe: {@link MemoryLedger} holds its lock around
 * every call. Payments are numbered in the order of booking and never removed; lists of their
 * numbers are append-only, so that a place in one is found by binary search and never moves.
 */
final class Books {

  private final RecordLog payments = new RecordLog();
  private final HashIndex byId = new HashIndex();
  private final HashIndex byCharge = new HashIndex();
  private final HashIndex latestByKey = new HashIndex();
  private final Map<String, Refund> refundsByPspId = new HashMap<>();
  private final Map<String, Refund> refunds = new HashMap<>();
  private final Map<String, TenantBooks> tenants = new HashMap<>();
  private final Packer packer = new Packer();

  private static final class TenantBooks {
    final Numbers all = new Numbers();
    final Map<String, Numbers> byCustomer = new HashMap<>();
    final TreeMap<String, Balance> balances = new TreeMap<>();
  }

  boolean hasPayment(String id) {
    return withId(id) != PackedPayment.NONE;
  }

  boolean hasCharge(String pspCharge) {
    return withCharge(pspCharge) != PackedPayment.NONE;
  }

  Optional<Payment> payment(String id) {
    return known(withId(id));
  }

  Optional<Payment> paymentByCharge(String pspCharge) {
    return known(withCharge(pspCharge));
  }

  private Optional<Payment> known(int number) {
    return number == PackedPayment.NONE ? Optional.empty() : Optional.of(payment(number));
  }

  /** The payment with a number. */
  Payment payment(int number) {
    return PackedPayment.unpack(payments.array(number), payments.start(number));
  }

  Optional<Refund> refund(String id) {
    return Optional.ofNullable(refunds.get(id));
  }

  Optional<Refund> refundByPspId(String pspRefund) {
    return Optional.ofNullable(refundsByPspId.get(pspRefund));
  }

  /** The number of a tenant's payment, or {@link PackedPayment#NONE}. */
  int number(String tenant, String id) {
    int number = withId(id);
    return number != PackedPayment.NONE
            && PackedPayment.isOf(tenant, payments.array(number), payments.start(number))
        ? number
        : PackedPayment.NONE;
  }

  Numbers all(String tenant) {
    TenantBooks books = tenants.get(tenant);
    return books == null ? Numbers.none() : books.all;
  }

  Numbers ofCustomer(String tenant, String customer) {
    TenantBooks books = tenants.get(tenant);
    Numbers numbers = books == null ? null : books.byCustomer.get(customer);
    return numbers == null ? Numbers.none() : numbers;
  }

  /** The payments of a key, one for each of its lives, oldest first. */
  Numbers ofIdempotencyKey(String tenant, String key) {
    Numbers found = new Numbers();
    int at = latest(tenant, key, TextHash.of(tenant, key));
    int number = at < 0 ? PackedPayment.NONE : latestByKey.number(at);
    while (number != PackedPayment.NONE) {
      found.add(number);
      number = PackedPayment.earlier(payments.array(number), payments.start(number));
    }
    return found.reversed();
  }

  private int withId(String id) {
    int hash = TextHash.of(id);
    for (int at = byId.first(hash); at >= 0; at = byId.next(at, hash)) {
      int number = byId.number(at);
      if (PackedPayment.isId(id, payments.array(number), payments.start(number))) {
        return number;
      }
    }
    return PackedPayment.NONE;
  }

  private int withCharge(String pspCharge) {
    int hash = TextHash.of(pspCharge);
    for (int at = byCharge.first(hash); at >= 0; at = byCharge.next(at, hash)) {
      int number = byCharge.number(at);
      if (PackedPayment.isCharge(pspCharge, payments.array(number), payments.start(number))) {
        return number;
      }
    }
    return PackedPayment.NONE;
  }

  private int latest(String tenant, String key, int hash) {
    for (int at = latestByKey.first(hash); at >= 0; at = latestByKey.next(at, hash)) {
      int number = latestByKey.number(at);
      if (PackedPayment.isOfKey(tenant, key, payments.array(number), payments.start(number))) {
        return at;
      }
    }
    return -1;
  }

  List<Balance> balances(String tenant) {
    TenantBooks books = tenants.get(tenant);
    return books == null ? List.of() : List.copyOf(books.balances.values());
  }

  /** Books a payment that has changed; it is in the books. */
  void replace(Payment payment) {
    int number = withId(payment.id());
    PaymentState before = payment(number).state();
    PackedPayment.repack(payment, payments.array(number), payments.start(number), packer);
    payments.replace(number, packer);
    addToBalance(payment, before.capturedAmount(), before.refundedAmount());
  }

  void put(Refund refund) {
    refunds.put(refund.id(), refund);
    refundsByPspId.put(refund.pspRefund(), refund);
  }

  /** Books a payment that is new; neither its id nor its charge is in the books. */
  void insert(Payment payment) {
    String tenant = payment.tenant();
    int keyHash = TextHash.of(tenant, payment.origin().idempotencyKey());
    int at = latest(tenant, payment.origin().idempotencyKey(), keyHash);
    int earlier = at < 0 ? PackedPayment.NONE : latestByKey.number(at);
    PackedPayment.pack(payment, earlier, packer);
    int number = payments.add(packer);
    if (at < 0) {
      latestByKey.add(keyHash, number);
    } else {
      latestByKey.replace(at, number);
    }
    byId.add(TextHash.of(payment.id()), number);
    byCharge.add(TextHash.of(payment.origin().pspCharge()), number);
    TenantBooks books = tenants.computeIfAbsent(tenant, it -> new TenantBooks());
    books.all.add(number);
    payment
        .details()
        .customer()
        .ifPresent(it -> books.byCustomer.computeIfAbsent(it, c -> new Numbers()).add(number));
    addToBalance(payment, 0, 0);
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
