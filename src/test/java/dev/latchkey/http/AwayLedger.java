package dev.latchkey.http;

import dev.latchkey.core.spi.StoreException;
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
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A ledger that cannot be read for as long as the test says so. Safe for use by any thread. */
class AwayLedger implements Ledger {

  private final Ledger behind;
  private volatile boolean away;

  AwayLedger(Ledger behind) {
    this.behind = behind;
  }

  void away(boolean isAway) {
    away = isAway;
  }

  private <T> Future<T> read(Supplier<Future<T>> real) {
    return away
        ? Future.failedFuture(
            new StoreException(StoreException.Outcome.NOT_DONE, "the ledger is away"))
        : real.get();
  }

  @Override
  public Future<Optional<Payment>> findPayment(String tenant, String id) {
    return read(() -> behind.findPayment(tenant, id));
  }

  @Override
  public Future<Optional<Payment>> findPaymentByCharge(String pspCharge) {
    return read(() -> behind.findPaymentByCharge(pspCharge));
  }

  @Override
  public Future<Optional<Refund>> findRefundByPspId(String pspRefund) {
    return read(() -> behind.findRefundByPspId(pspRefund));
  }

  @Override
  public Future<Optional<Page<Payment>>> listPayments(PaymentQuery query) {
    return read(() -> behind.listPayments(query));
  }

  @Override
  public Future<Optional<Refund>> findRefund(String tenant, String id) {
    return read(() -> behind.findRefund(tenant, id));
  }

  @Override
  public Future<Optional<Page<Refund>>> listRefunds(RefundQuery query) {
    return read(() -> behind.listRefunds(query));
  }

  @Override
  public Future<List<Balance>> balance(String tenant) {
    return read(() -> behind.balance(tenant));
  }

  @Override
  public Future<PaymentAmendment.Result> amendPayment(PaymentAmendment amendment) {
    return read(() -> behind.amendPayment(amendment));
  }

  @Override
  public Future<Optional<Customer>> findCustomer(String tenant, String id) {
    return read(() -> behind.findCustomer(tenant, id));
  }

  @Override
  public Future<CustomerPut.Result> putCustomer(CustomerPut put) {
    return read(() -> behind.putCustomer(put));
  }

  @Override
  public Future<Void> probe() {
    return read(behind::probe);
  }
}
