package dev.latchkey.payments;

import dev.latchkey.psp.PspResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the PSP's other answers than yes mean to a client. */
final class PspAnswers {

  private static final Logger LOG = LoggerFactory.getLogger(PspAnswers.class);

  private PspAnswers() {}

  static Conclusion notApproved(PspResult result) {
    if (result instanceof PspResult.Declined declined) {
      return new Conclusion.Failed(PaymentProblems.cardDeclined(declined.declineCode()));
    }
    if (result instanceof PspResult.Refused refused) {
      return new Conclusion.Failed(PaymentProblems.paymentState(refused.detail()));
    }
    if (result instanceof PspResult.Unavailable unavailable) {
      LOG.debug("PSP unavailable, the key is released: {}", unavailable.detail());
      return new Conclusion.Failed(PaymentProblems.pspUnavailable());
    }
    // Somebody else than the PSP answers there, or this service asked it for nonsense. Either way
    // nobody knows that the call was refused for good.
    LOG.error("the PSP gave an answer that nothing here asks for, is its URL right? {}", result);
    return new Conclusion.Failed(PaymentProblems.pspUnavailable());
  }

  /**
   * For a yes to something else than was asked, such as another sum. What it says is told to the
   * log and not booked; the same call finds out what is true once the PSP says it.
   */
  static Conclusion contradicted(String what) {
    LOG.error("{}; nothing is booked, and the same request may be sent again", what);
    return new Conclusion.Failed(PaymentProblems.pspUnavailable());
  }

  /** For what the books should never say: tells the log, and the client no more than that. */
  static Conclusion broken(String what) {
    LOG.error("{}", what);
    return new Conclusion.Failed(PaymentProblems.internalError());
  }
}
