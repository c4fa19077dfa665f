package dev.latchkey.payments;

import dev.latchkey.psp.PspResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The results of operations that the PSP did not approve, or approved in a way that is wrong. */
final class PspFailures {

  private static final Logger LOG = LoggerFactory.getLogger(PspFailures.class);

  private PspFailures() {}

  static OperationResult notApproved(PspResult result) {
    if (result instanceof PspResult.Declined declined) {
      return new OperationResult.Failed(PaymentProblems.cardDeclined(declined.declineCode()));
    }
    if (result instanceof PspResult.Refused refused) {
      return new OperationResult.Failed(PaymentProblems.paymentState(refused.detail()));
    }
    if (result instanceof PspResult.Unavailable unavailable) {
      LOG.debug("PSP unavailable; releasing the key: {}", unavailable.detail());
      return new OperationResult.Failed(PaymentProblems.pspUnavailable());
    }
    // The URL is not the PSP's, or the request was wrong. The outcome is unknown in both cases.
    LOG.error("Unexpected PSP response; check the PSP URL: {}", result);
    return new OperationResult.Failed(PaymentProblems.pspUnavailable());
  }

  /**
   * The PSP approved something else than requested, such as another amount. The approval is logged
   * and not recorded. A retry gets the correct result once the PSP returns it.
   */
  static OperationResult contradiction(String what) {
    LOG.error("PSP contradiction, not recorded; the client may retry: {}", what);
    return new OperationResult.Failed(PaymentProblems.pspUnavailable());
  }

  /** The ledger is in a state that should be impossible. The client gets no details. */
  static OperationResult inconsistentLedger(String what) {
    LOG.error("Inconsistent ledger: {}", what);
    return new OperationResult.Failed(PaymentProblems.internalError());
  }
}
