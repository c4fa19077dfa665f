package dev.latchkey.ledger;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * Stores payments and customers. Money movements are written only by {@link LedgerEffect}s, which
 * the store applies when it completes an idempotency key: a payment and its response are stored
 * together or not at all. The writes in this interface need no key. Each is one atomic step with
 * its own condition, and returns a value if the condition fails.
 *
 * <p>Every method may be called on any thread, never blocks, and completes its future on any
 * thread. If the ledger is broken or unreachable, the future fails with {@link
 * dev.latchkey.core.spi.StoreException} within a bounded time; the exception says whether a write
 * may have happened. A call sees everything that was committed before it began.
 */
public interface Ledger {

  /**
   * Finds a payment.
   *
   * @param tenant the owner
   * @param id {@code pay_...}, any text
   * @return the current version; empty if the tenant has no such payment
   */
  Future<Optional<Payment>> findPayment(String tenant, String id);

  /**
   * Finds the payment of a charge, <em>of any tenant</em>: the caller compares tenant and derived
   * key before it shows anything.
   *
   * @param pspCharge the PSP's id of the charge
   * @return the current version; empty if the ledger does not have the charge
   */
  Future<Optional<Payment>> findPaymentByCharge(String pspCharge);

  /**
   * Finds a refund, <em>of any tenant</em>: the caller compares tenant and derived key before it
   * shows anything.
   *
   * @param pspRefund the PSP's id of the refund
   * @return the refund; empty if the ledger does not have it
   */
  Future<Optional<Refund>> findRefundByPspId(String pspRefund);

  /**
   * Lists payments, newest first in the order of recording. Pages are stable: they contain every
   * payment that was recorded before the request for the first page once, and none twice. Later
   * payments appear before the first page. They may appear in a later page only if the ledger
   * documents that payments become visible out of order.
   *
   * @param query selects the page
   * @return the page; empty if {@link PaymentQuery#startingAfter()} is not a payment of the tenant
   *     with the filter's customer and key
   */
  Future<Optional<Page<Payment>>> listPayments(PaymentQuery query);

  /**
   * Finds a refund.
   *
   * @param tenant the owner
   * @param id {@code re_...}, any text
   * @return the refund; empty if the tenant has no such refund
   */
  Future<Optional<Refund>> findRefund(String tenant, String id);

  /**
   * Lists the refunds of a payment, newest first. Pages are stable, as those of payments.
   *
   * @param query selects the page
   * @return the page, without refunds if the tenant has no such payment; empty if {@link
   *     RefundQuery#startingAfter()} is not a refund of the payment
   */
  Future<Optional<Page<Refund>>> listRefunds(RefundQuery query);

  /**
   * Sums up captured money.
   *
   * @param tenant the owner
   * @return one entry per currency with captured money, sorted by currency
   */
  Future<List<Balance>> balance(String tenant);

  /**
   * Replaces the client's texts of a payment.
   *
   * @param amendment the new texts
   * @return the result
   */
  Future<PaymentAmendment.Result> amendPayment(PaymentAmendment amendment);

  /**
   * Finds a customer.
   *
   * @param tenant the owner
   * @param id see {@link Customer#id()}
   * @return the current version; empty if the tenant has no such customer
   */
  Future<Optional<Customer>> findCustomer(String tenant, String id);

  /**
   * Creates or replaces a customer.
   *
   * @param put the new values
   * @return the result
   */
  Future<CustomerPut.Result> putCustomer(CustomerPut put);

  /**
   * Checks that the ledger is usable, for readiness.
   *
   * @return succeeds if it is
   */
  Future<Void> probe();
}
