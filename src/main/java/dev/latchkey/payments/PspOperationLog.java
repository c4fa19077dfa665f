package dev.latchkey.payments;

import dev.latchkey.ledger.LedgerEffect;
import dev.latchkey.ledger.LedgerEffect.BookCancel;
import dev.latchkey.ledger.LedgerEffect.BookCapture;
import dev.latchkey.ledger.LedgerEffect.BookRefund;
import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import dev.latchkey.web.Idempotency;
import io.vertx.core.json.Json;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the PSP operation of an attempt that was discarded because another request took the key: the
 * ledger has no payment for it. Nothing is undone automatically. The same request is allowed once
 * its key has expired, and then gets the charge of the first attempt. Confined to the request's
 * context, except for deriving keys.
 */
final class PspOperationLog {

  private static final Logger LOG = LoggerFactory.getLogger(PspOperationLog.class);

  private final Idempotency claim;
  private volatile String pspKey = "";
  private @Nullable OperationResult result;

  PspOperationLog(Idempotency claim) {
    this.claim = claim;
  }

  PaymentOperation.Attempt attempt() {
    return new PaymentOperation.Attempt(claim.tenant(), claim.key(), this::derived);
  }

  private String derived(String name) {
    pspKey = claim.downstreamKey(name);
    return pspKey;
  }

  /** Notes the result of the operation, and again if its effect was refused. */
  void record(OperationResult latest) {
    result = latest;
  }

  /** Logs what the PSP did or may have done. */
  void write() {
    if (result instanceof OperationResult.Unrecorded unrecorded) {
      write(done(unrecorded.effect()));
    } else if (!(result instanceof OperationResult.Recorded) && !isRejected()) {
      write("unknown");
    }
  }

  private boolean isRejected() {
    return pspKey.isEmpty()
        || (result instanceof OperationResult.Failed failed && failed.problem().status() < 500);
  }

  private void write(String done) {
    LOG.warn(
        "PSP operation without a payment; reconcile manually: tenant={} psp_key={} done={} key={}",
        claim.tenant(),
        pspKey,
        done,
        Json.encode(claim.key()));
  }

  private static String done(LedgerEffect effect) {
    if (effect instanceof InsertPayment insert) {
      return "charge:" + insert.payment().origin().pspCharge();
    }
    if (effect instanceof BookCapture capture) {
      return "capture:" + capture.payment();
    }
    if (effect instanceof BookCancel cancel) {
      return "cancel:" + cancel.payment();
    }
    BookRefund refund = (BookRefund) effect;
    return "refund:" + refund.refund().pspRefund() + ":" + refund.refund().payment();
  }
}
