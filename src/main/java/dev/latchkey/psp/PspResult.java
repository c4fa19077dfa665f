package dev.latchkey.psp;

import java.util.Optional;

/** The result of a call to the PSP. */
public sealed interface PspResult {

  /** The money moved, now or at the first use of this key; the charge is as it was after it. */
  record Approved(PspCharge charge, Optional<PspRefund> refund) implements PspResult {}

  /** The card was declined; final. The code is one such as {@code insufficient_funds}. */
  record Declined(String declineCode) implements PspResult {}

  /** The charge's state or sums do not allow the call; final. The reason is fit for a client. */
  record Refused(String detail) implements PspResult {}

  /**
   * The PSP was unavailable, or its response did not arrive in time. The effect is unknown; a retry
   * of the same call under the same key determines it. The cause is fit for a log.
   */
  record Unavailable(String detail) implements PspResult {}

  /**
   * The PSP rejected the call as invalid, or its key belongs to another call. The cause is a defect
   * of this side, or another server responds in place of the PSP. It does not prove that nothing
   * happened: treat it like {@link Unavailable} and report it to the operator.
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

  /** A refund at the PSP, with its unique id and its amount in minor units. */
  record PspRefund(String id, long amount) {}
}
