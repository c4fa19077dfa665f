package dev.latchkey.ledger;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * Reads the books. What moves money is written through {@link LedgerEffect} alone, by the store
 * that completes an idempotency key, so that a payment and the answer about it are kept together or
 * not at all. What needs no key is written here: each write is one atomic step that carries its own
 * condition, and what does not apply is a value.
 *
 * <p>Every method may be called on any thread, never blocks, and completes its future on any
 * thread. A ledger that is broken or out of reach fails with {@link
 * dev.latchkey.core.spi.StoreException} within a bounded time, and says whether a write may have
 * happened. What was committed before a call began is seen by it.
 */
public interface Ledger {

  /**
   * Finds a payment.
   *
   * @param tenant whose
   * @param id {@code pay_...}, any text
   * @return the payment as it stands; empty when this tenant has none of that id
   */
  Future<Optional<Payment>> findPayment(String tenant, String id);

  /**
   * Finds the one payment that a charge belongs to, <em>of whatever tenant</em>: the caller
   * compares tenant and derived key before it shows anything.
   *
   * @param pspCharge the PSP's id of the charge
   * @return the payment as it stands; empty when the charge is not in the books
   */
  Future<Optional<Payment>> findPaymentByCharge(String pspCharge);

  /**
   * Finds a refund, <em>of whatever tenant</em>: the caller compares tenant and derived key before
   * it shows anything.
   *
   * @param pspRefund the PSP's id of the refund
   * @return the refund; empty when it is not in the books
   */
  Future<Optional<Refund>> findRefundByPspId(String pspRefund);

  /**
   * Lists payments, newest first in the order they were booked. Pages are stable: what was booked
   * before the first page was asked for is in them exactly once, and nothing is in them twice. What
   * is booked meanwhile appears before the first page; inside a later one only as far as a ledger
   * lets bookings become visible out of their order, and says so.
   *
   * @param query which ones
   * @return the page; empty when {@link PaymentQuery#startingAfter()} is not a payment of this list
   */
  Future<Optional<Page>> listPayments(PaymentQuery query);

  /**
   * Sums up captured money.
   *
   * @param tenant whose
   * @return one entry per currency in which money was captured, by currency
   */
  Future<List<Balance>> balance(String tenant);

  /**
   * Writes what the client says about a payment.
   *
   * @param amendment what to write
   * @return what became of it
   */
  Future<PaymentAmendment.Result> amendPayment(PaymentAmendment amendment);

  /**
   * Finds a customer.
   *
   * @param tenant whose
   * @param id see {@link Customer#id()}
   * @return the customer as it stands; empty when this tenant has none of that id
   */
  Future<Optional<Customer>> findCustomer(String tenant, String id);

  /**
   * Makes or replaces a customer.
   *
   * @param put what to write
   * @return what became of it
   */
  Future<CustomerPut.Result> putCustomer(CustomerPut put);

  /**
   * Asks for a sign of life, for readiness.
   *
   * @return succeeds when the ledger can be used
   */
  Future<Void> probe();
}
