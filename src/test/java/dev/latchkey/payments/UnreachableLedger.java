package dev.latchkey.payments;

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

/** Books that nobody can reach. */
final class UnreachableLedger implements Ledger {

  @Override
  public Future<Optional<Payment>> findPayment(String tenant, String id) {
    return away();
  }

  @Override
  public Future<Optional<Payment>> findPaymentByCharge(String pspCharge) {
    return away();
  }

  @Override
  public Future<Optional<Refund>> findRefundByPspId(String pspRefund) {
    return away();
  }

  @Override
  public Future<Optional<Page<Payment>>> listPayments(PaymentQuery query) {
    return away();
  }

  @Override
  public Future<Optional<Refund>> findRefund(String tenant, String id) {
    return away();
  }

  @Override
  public Future<Optional<Page<Refund>>> listRefunds(RefundQuery query) {
    return away();
  }

  @Override
  public Future<List<Balance>> balance(String tenant) {
    return away();
  }

  @Override
  public Future<PaymentAmendment.Result> amendPayment(PaymentAmendment amendment) {
    return away();
  }

  @Override
  public Future<Optional<Customer>> findCustomer(String tenant, String id) {
    return away();
  }

  @Override
  public Future<CustomerPut.Result> putCustomer(CustomerPut put) {
    return away();
  }

  @Override
  public Future<Void> probe() {
    return away();
  }

  private static <T> Future<T> away() {
    return Future.failedFuture(
        new StoreException(StoreException.Outcome.NOT_DONE, "ledger: connection refused"));
  }
}
