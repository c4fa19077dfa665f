package dev.latchkey.payments;

import dev.latchkey.ledger.LedgerEffect;
import dev.latchkey.ledger.LedgerEffect.BookCancel;
import dev.latchkey.ledger.LedgerEffect.BookCapture;
import dev.latchkey.ledger.LedgerEffect.BookRefund;
import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import dev.latchkey.web.Idempotency;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one attempt had the PSP do, for the log in case that the books are never told: another
 * request has taken the key. Nothing is undone by itself, since the very same request is welcome
 * once its key has expired, and is then answered with the charge that it made the first time.
 * Confined to the request's context, but for the derived keys.
 */
final class PspTrail {

  private static final Logger LOG = LoggerFactory.getLogger(PspTrail.class);

  private final Idempotency claim;
  private volatile String pspKey = "";
  private @Nullable Conclusion conclusion;

  PspTrail(Idempotency claim) {
    this.claim = claim;
  }

  /** In whose name the call runs. */
  CallContext attempt() {
    return new CallContext(claim.tenant(), claim.key(), this::derived);
  }

  private String derived(String name) {
    pspKey = claim.downstreamKey(name);
    return pspKey;
  }

  /** How the call ended, for the first time or after its effect was refused. */
  void cameTo(Conclusion end) {
    conclusion = end;
  }

  /** Names what is left at the PSP, or may be. */
  void tell() {
    if (conclusion instanceof Conclusion.Booked booked) {
      tell(done(booked.effect()));
    } else if (!(conclusion instanceof Conclusion.Done) && !saidNo()) {
      tell("unknown");
    }
  }

  private boolean saidNo() {
    return pspKey.isEmpty()
        || (conclusion instanceof Conclusion.Failed failed && failed.problem().status() < 500);
  }

  private void tell(String done) {
    LOG.warn(
        "the PSP did, or may have done, what no payment shows: tenant={} psp_key={} done={}"
            + " key={}",
        claim.tenant(),
        pspKey,
        done,
        claim.key());
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
