package dev.latchkey.psp;

import java.util.Optional;

/** What came of a call to the PSP. */
public sealed interface PspResult {

  /**
   * The money moved, now or when this key was first used.
   *
   * @param charge the charge as it stood right after
   * @param refund the refund, when it was one
   */
  record Approved(PspCharge charge, Optional<PspRefund> refund) implements PspResult {}

  /**
   * The card was declined; final.
   *
   * @param declineCode such as {@code insufficient_funds}
   */
  record Declined(String declineCode) implements PspResult {}

  /**
   * The charge's state or sums do not allow it; final.
   *
   * @param detail what the PSP says, fit for a client
   */
  record Refused(String detail) implements PspResult {}

  /**
   * The PSP cannot do it now, or did not answer in time: nobody knows whether it was done, the same
   * call under the same key finds out.
   *
   * @param detail what was tried, fit for a log
   */
  record Unavailable(String detail) implements PspResult {}

  /**
   * The PSP will not take the call as it was sent: it is malformed there, or its key belongs to a
   * call with other parameters. So a defect on this side, or somebody else than the PSP answers
   * there. Either way nobody knows that it was refused for good: to be treated as {@link
   * Unavailable}, and told to the operator.
   *
   * @param status the PSP's HTTP status, such as 400 or 422
   * @param detail what the PSP says, fit for a log
   */
  record Rejected(int status, String detail) implements PspResult {}

  /**
   * A charge at the PSP.
   *
   * @param id {@code ch_...}
   * @param amount authorised, in minor units
   * @param currency ISO 4217
   * @param status {@code authorized}, {@code captured}, {@code canceled}, {@code
   *     partially_refunded} or {@code refunded}
   * @param capturedAmount in minor units
   * @param refundedAmount in minor units
   */
  record PspCharge(
      String id,
      long amount,
      String currency,
      String status,
      long capturedAmount,
      long refundedAmount) {}

  /**
   * A refund at the PSP.
   *
   * @param id {@code re_...}, unique
   * @param amount in minor units
   */
  record PspRefund(String id, long amount) {}
}
