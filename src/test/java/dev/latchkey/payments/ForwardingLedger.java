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
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Other books, for tests that step in between. */
class ForwardingLedger implements Ledger {

  private final Ledger books;

  ForwardingLedger(Ledger books) {
    this.books = books;
  }

  @Override
  public Future<Optional<Payment>> findPayment(String tenant, String id) {
    return books.findPayment(tenant, id);
  }

  @Override
  public Future<Optional<Payment>> findPaymentByCharge(String pspCharge) {
    return books.findPaymentByCharge(pspCharge);
  }

  @Override
  public Future<Optional<Refund>> findRefundByPspId(String pspRefund) {
    return books.findRefundByPspId(pspRefund);
  }

  @Override
  public Future<Optional<Page>> listPayments(PaymentQuery query) {
    return books.listPayments(query);
  }

  @Override
  public Future<List<Balance>> balance(String tenant) {
    return books.balance(tenant);
  }

  @Override
  public Future<PaymentAmendment.Result> amendPayment(PaymentAmendment amendment) {
    return books.amendPayment(amendment);
  }

  @Override
  public Future<Optional<Customer>> findCustomer(String tenant, String id) {
    return books.findCustomer(tenant, id);
  }

  @Override
  public Future<CustomerPut.Result> putCustomer(CustomerPut put) {
    return books.putCustomer(put);
  }

  @Override
  public Future<Void> probe() {
    return books.probe();
  }
}
