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
import dev.latchkey.ledger.RefundQuery;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.store.memory.EffectTarget;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * A ledger in memory. Safe for use by any thread: one lock guards all data, is held for map lookups
 * and one list, and never while other code is called. Futures are complete when they are returned.
 */
public final class MemoryLedger implements Ledger, EffectTarget {

  private final Object lock = new Object();
  private final PaymentTable payments = new PaymentTable();
  private final CustomerTable customers = new CustomerTable();
  private final MemoryBudget budget;

  /**
   * Makes an empty ledger.
   *
   * @param budget receives the size of all data. Limits only writes without a key: work that was
   *     begun under a key must be able to finish
   */
  public MemoryLedger(MemoryBudget budget) {
    this.budget = budget;
  }

  @Override
  public Optional<EffectRefused> apply(List<Effect> effects) {
    long grown;
    synchronized (lock) {
      StagedEffects staged = new StagedEffects(payments);
      for (Effect effect : effects) {
        Optional<String> refusal =
            effect instanceof LedgerEffect ours
                ? staged.add(ours)
                : Optional.of("this ledger does not support the effect");
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
      return Future.succeededFuture(payments.payment(tenant, id));
    }
  }

  @Override
  public Future<Optional<Payment>> findPaymentByCharge(String pspCharge) {
    synchronized (lock) {
      return Future.succeededFuture(payments.paymentByCharge(pspCharge));
    }
  }

  @Override
  public Future<Optional<Refund>> findRefundByPspId(String pspRefund) {
    synchronized (lock) {
      return Future.succeededFuture(payments.refundByPspId(pspRefund));
    }
  }

  @Override
  public Future<Optional<Page<Payment>>> listPayments(PaymentQuery query) {
    synchronized (lock) {
      return Future.succeededFuture(payments.page(query));
    }
  }

  @Override
  public Future<Optional<Refund>> findRefund(String tenant, String id) {
    synchronized (lock) {
      return Future.succeededFuture(
          payments.refund(id).filter(refund -> refund.tenant().equals(tenant)));
    }
  }

  @Override
  public Future<Optional<Page<Refund>>> listRefunds(RefundQuery query) {
    synchronized (lock) {
      return Future.succeededFuture(payments.refunds(query));
    }
  }

  @Override
  public Future<List<Balance>> balance(String tenant) {
    synchronized (lock) {
      return Future.succeededFuture(payments.balances(tenant));
    }
  }

  @Override
  public Future<PaymentAmendment.Result> amendPayment(PaymentAmendment amendment) {
    boolean room = !budget.isSpent();
    long grown;
    Payment then;
    synchronized (lock) {
      Optional<Payment> known =
          payments
              .payment(amendment.tenant(), amendment.payment())
              .filter(payment -> payment.version() == amendment.version());
      if (known.isEmpty()) {
        return Future.succeededFuture(new PaymentAmendment.NotAtVersion());
      }
      then = known.get().with(amendment);
      grown = Weight.of(then) - Weight.of(known.get());
      if (grown > 0 && !room) {
        return Future.succeededFuture(new PaymentAmendment.Full());
      }
      payments.replace(then);
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
    CustomerTable.Written written;
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
}
