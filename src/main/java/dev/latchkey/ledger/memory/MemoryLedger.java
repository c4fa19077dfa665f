package dev.latchkey.ledger.memory;

import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.ledger.Balance;
import dev.latchkey.ledger.Customer;
import dev.latchkey.ledger.CustomerPut;
import dev.latchkey.ledger.Ledger;
import dev.latchkey.ledger.LedgerEffect;
import dev.latchkey.ledger.Page;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentAmendment;
import dev.latchkey.ledger.PaymentQuery;
import dev.latchkey.ledger.Refund;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.store.memory.EffectTarget;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The books in memory. Safe for use by any thread: one lock guards everything, is held for map
 * look-ups, packing a payment and unpacking at most one page of a list, and never while other code
 * is called; what is handed out is immutable. Futures are complete when they are returned.
 */
public final class MemoryLedger implements Ledger, EffectTarget {

  private final Object lock = new Object();
  private final Books books = new Books();
  private final CustomerBooks customers = new CustomerBooks();
  private final MemoryBudget budget;

  /**
   * Makes empty books.
   *
   * @param budget told what is kept; asked before a write that needs no key alone, since what was
   *     begun under a key has to be booked
   */
  public MemoryLedger(MemoryBudget budget) {
    this.budget = budget;
  }

  @Override
  public Optional<EffectRefused> apply(List<Effect> effects) {
    long grown;
    synchronized (lock) {
      StagedEffects staged = new StagedEffects(books);
      for (Effect effect : effects) {
        Optional<String> refusal =
            effect instanceof LedgerEffect ours
                ? staged.add(ours)
                : Optional.of("this ledger does not know such an effect");
        if (refusal.isPresent()) {
          return Optional.of(new EffectRefused(effect.name(), refusal.get()));
        }
      }
      grown = staged.commit();
    }
    budget.add(grown);
    return Optional.empty();
  }

  @Override
  public Future<Optional<Payment>> findPayment(String tenant, String id) {
    synchronized (lock) {
      return Future.succeededFuture(find(tenant, id));
    }
  }

  @Override
  public Future<Optional<Payment>> findPaymentByCharge(String pspCharge) {
    synchronized (lock) {
      return Future.succeededFuture(books.paymentByCharge(pspCharge));
    }
  }

  @Override
  public Future<Optional<Refund>> findRefundByPspId(String pspRefund) {
    synchronized (lock) {
      return Future.succeededFuture(books.refundByPspId(pspRefund));
    }
  }

  @Override
  public Future<Optional<Page>> listPayments(PaymentQuery query) {
    synchronized (lock) {
      return Future.succeededFuture(page(query));
    }
  }

  @Override
  public Future<List<Balance>> balance(String tenant) {
    synchronized (lock) {
      return Future.succeededFuture(books.balances(tenant));
    }
  }

  @Override
  public Future<PaymentAmendment.Result> amendPayment(PaymentAmendment amendment) {
    boolean room = !budget.isSpent();
    long grown;
    Payment then;
    synchronized (lock) {
      Optional<Payment> known =
          find(amendment.tenant(), amendment.payment())
              .filter(payment -> payment.version() == amendment.version());
      if (known.isEmpty()) {
        return Future.succeededFuture(new PaymentAmendment.NotAtVersion());
      }
      then = known.get().with(amendment);
      grown = Weight.of(then) - Weight.of(known.get());
      if (grown > 0 && !room) {
        return Future.succeededFuture(new PaymentAmendment.Full());
      }
      books.replace(then);
    }
    budget.add(grown);
    return Future.succeededFuture(new PaymentAmendment.Amended(then));
  }

  @Override
  public Future<Optional<Customer>> findCustomer(String tenant, String id) {
    synchronized (lock) {
      return Future.succeededFuture(customers.find(tenant, id));
    }
  }

  @Override
  public Future<CustomerPut.Result> putCustomer(CustomerPut put) {
    boolean room = !budget.isSpent();
    CustomerBooks.Written written;
    synchronized (lock) {
      written = customers.put(put, room);
    }
    budget.add(written.grownBytes());
    return Future.succeededFuture(written.result());
  }

  @Override
  public Future<Void> probe() {
    return Future.succeededFuture();
  }

  private Optional<Payment> find(String tenant, String id) {
    int number = books.number(tenant, id);
    return number == PackedPayment.NONE ? Optional.empty() : Optional.of(books.payment(number));
  }

  private Optional<Page> page(PaymentQuery query) {
    Numbers numbers = numbers(query);
    int next = numbers.size() - 1;
    if (query.startingAfter().isPresent()) {
      int start = books.number(query.tenant(), query.startingAfter().get());
      int index = numbers.indexOf(start);
      if (index < 0) {
        return Optional.empty();
      }
      next = index - 1;
    }
    List<Payment> data = new ArrayList<>(Math.min(query.limit(), next + 1));
    while (next >= 0 && data.size() < query.limit()) {
      data.add(books.payment(numbers.get(next)));
      next--;
    }
    return Optional.of(new Page(data, next >= 0));
  }

  /** The list that a query pages through, oldest first. */
  private Numbers numbers(PaymentQuery query) {
    if (query.idempotencyKey().isPresent()) {
      // A key makes a payment per lifetime at most, so this list is short enough to filter.
      Numbers numbers = books.ofIdempotencyKey(query.tenant(), query.idempotencyKey().get());
      return query.customer().isEmpty() ? numbers : ofCustomer(numbers, query.customer());
    }
    return query
        .customer()
        .map(customer -> books.ofCustomer(query.tenant(), customer))
        .orElseGet(() -> books.all(query.tenant()));
  }

  private Numbers ofCustomer(Numbers numbers, Optional<String> customer) {
    Numbers found = new Numbers();
    for (int i = 0; i < numbers.size(); i++) {
      if (books.payment(numbers.get(i)).details().customer().equals(customer)) {
        found.add(numbers.get(i));
      }
    }
    return found;
  }
}
