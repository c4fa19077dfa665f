package dev.latchkey.ledger.memory;

import dev.latchkey.ledger.LedgerEffect;
import dev.latchkey.ledger.LedgerEffect.BookCancel;
import dev.latchkey.ledger.LedgerEffect.BookCapture;
import dev.latchkey.ledger.LedgerEffect.BookRefund;
import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentState;
import dev.latchkey.ledger.PaymentStatus;
import dev.latchkey.ledger.Refund;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The effects of one commit. Each is checked against the table as the earlier effects leave it;
 * nothing is written until all of them apply. Not thread-safe, like {@link PaymentTable}.
 */
final class StagedEffects {

  private static final int FEW = 2;

  private final PaymentTable table;
  private final Map<String, Payment> added = new LinkedHashMap<>(FEW);
  private final Map<String, Payment> changed = new LinkedHashMap<>(FEW);
  private final Set<String> charges = new HashSet<>(FEW);
  private final Map<String, Refund> refunds = new LinkedHashMap<>(FEW);
  private final Set<String> refundsAtPsp = new HashSet<>(FEW);

  StagedEffects(PaymentTable table) {
    this.table = table;
  }

  /** Adds an effect; returns the reason if it does not apply. */
  Optional<String> add(LedgerEffect effect) {
    if (effect instanceof InsertPayment insert) {
      return insert(insert.payment());
    }
    if (effect instanceof BookCapture capture) {
      return capture(capture);
    }
    if (effect instanceof BookCancel cancel) {
      return cancel(cancel);
    }
    if (effect instanceof BookRefund refund) {
      return refund(refund);
    }
    throw new IllegalArgumentException("unknown effect " + effect.name());
  }

  /** Writes all effects and returns the bytes by which the ledger grew. */
  long commit() {
    long grown = 0;
    for (Payment payment : added.values()) {
      grown += Weight.of(payment);
      table.insert(payment);
    }
    for (Payment payment : changed.values()) {
      grown += Weight.of(payment) - table.payment(payment.id()).map(Weight::of).orElse(0L);
      table.replace(payment);
    }
    for (Refund refund : refunds.values()) {
      grown += Weight.of(refund);
      table.put(refund);
    }
    return grown;
  }

  private Optional<String> insert(Payment payment) {
    if (added.containsKey(payment.id()) || table.payment(payment.id()).isPresent()) {
      return Optional.of("payment " + payment.id() + " exists already");
    }
    String charge = payment.origin().pspCharge();
    if (charges.contains(charge) || table.paymentByCharge(charge).isPresent()) {
      return Optional.of("charge " + charge + " exists already");
    }
    charges.add(charge);
    added.put(payment.id(), payment);
    return Optional.empty();
  }

  private Optional<String> capture(BookCapture capture) {
    Optional<Payment> found = findOpen(capture.tenant(), capture.payment(), capture.version());
    if (found.isEmpty()) {
      return notOpen(capture.payment(), capture.version());
    }
    Payment payment = found.get();
    if (capture.amount() > payment.details().amount()) {
      return Optional.of("capture of " + capture.amount() + " exceeds the authorised amount");
    }
    Optional<String> key = Optional.of(capture.derivedKey());
    return keep(
        payment.with(payment.state().captured(capture.amount(), key, capture.atEpochMillis())));
  }

  private Optional<String> cancel(BookCancel cancel) {
    Optional<Payment> found = findOpen(cancel.tenant(), cancel.payment(), cancel.version());
    if (found.isEmpty()) {
      return notOpen(cancel.payment(), cancel.version());
    }
    Payment payment = found.get();
    return keep(
        payment.with(payment.state().canceled(cancel.derivedKey(), cancel.atEpochMillis())));
  }

  private Optional<String> refund(BookRefund effect) {
    Refund refund = effect.refund();
    if (refunds.containsKey(refund.id()) || table.refund(refund.id()).isPresent()) {
      return Optional.of("refund " + refund.id() + " exists already");
    }
    if (refundsAtPsp.contains(refund.pspRefund())
        || table.refundByPspId(refund.pspRefund()).isPresent()) {
      return Optional.of("PSP refund " + refund.pspRefund() + " exists already");
    }
    Optional<Payment> found = find(refund.payment()).filter(it -> isOf(refund.tenant(), it));
    if (found.isEmpty()) {
      return Optional.of("there is no payment " + refund.payment());
    }
    Payment payment = found.get();
    PaymentState state = payment.state();
    if (state.status() == PaymentStatus.REQUIRES_CAPTURE
        && effect.capturedAmount() > 0
        && effect.capturedAmount() <= payment.details().amount()) {
      state =
          state.captured(effect.capturedAmount(), Optional.empty(), refund.createdAtEpochMillis());
    }
    if (refund.amount() > state.capturedAmount() - state.refundedAmount()) {
      return Optional.of("refund of " + refund.amount() + " exceeds the rest of the capture");
    }
    refunds.put(refund.id(), refund);
    refundsAtPsp.add(refund.pspRefund());
    PaymentState then = state.refunded(refund.amount(), refund.createdAtEpochMillis());
    return keep(payment.with(then.asVersion(payment.version() + 1)));
  }

  private Optional<String> keep(Payment payment) {
    (added.containsKey(payment.id()) ? added : changed).put(payment.id(), payment);
    return Optional.empty();
  }

  private Optional<Payment> find(String id) {
    Payment staged = added.getOrDefault(id, changed.get(id));
    return staged == null ? table.payment(id) : Optional.of(staged);
  }

  private Optional<Payment> findOpen(String tenant, String id, long version) {
    return find(id)
        .filter(it -> isOf(tenant, it))
        .filter(it -> it.version() == version)
        .filter(it -> it.status() == PaymentStatus.REQUIRES_CAPTURE);
  }

  private static boolean isOf(String tenant, Payment payment) {
    return payment.tenant().equals(tenant);
  }

  private static Optional<String> notOpen(String id, long version) {
    return Optional.of("payment " + id + " is not at version " + version + " requiring capture");
  }
}
