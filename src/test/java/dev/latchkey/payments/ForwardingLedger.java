package dev.latchkey.payments;

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

/** Forwards all calls to another ledger; tests override some. */
class ForwardingLedger implements Ledger {

  private final Ledger delegate;

  ForwardingLedger(Ledger delegate) {
    this.delegate = delegate;
  }

  @Override
  public Future<Optional<Payment>> findPayment(String tenant, String id) {
    return delegate.findPayment(tenant, id);
  }

  @Override
  public Future<Optional<Payment>> findPaymentByCharge(String pspCharge) {
    return delegate.findPaymentByCharge(pspCharge);
  }

  @Override
  public Future<Optional<Refund>> findRefundByPspId(String pspRefund) {
    return delegate.findRefundByPspId(pspRefund);
  }

  @Override
  public Future<Optional<Page<Payment>>> listPayments(PaymentQuery query) {
    return delegate.listPayments(query);
  }

  @Override
  public Future<Optional<Refund>> findRefund(String tenant, String id) {
    return delegate.findRefund(tenant, id);
  }

  @Override
  public Future<Optional<Page<Refund>>> listRefunds(RefundQuery query) {
    return delegate.listRefunds(query);
  }

  @Override
  public Future<List<Balance>> balance(String tenant) {
    return delegate.balance(tenant);
  }

  @Override
  public Future<PaymentAmendment.Result> amendPayment(PaymentAmendment amendment) {
    return delegate.amendPayment(amendment);
  }

  @Override
  public Future<Optional<Customer>> findCustomer(String tenant, String id) {
    return delegate.findCustomer(tenant, id);
  }

  @Override
  public Future<CustomerPut.Result> putCustomer(CustomerPut put) {
    return delegate.putCustomer(put);
  }

  @Override
  public Future<Void> probe() {
    return delegate.probe();
  }
}
