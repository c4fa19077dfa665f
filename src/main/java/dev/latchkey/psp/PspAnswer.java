package dev.latchkey.psp;

import dev.latchkey.psp.PspResult.PspRefund;
import java.util.Optional;

/** What the simulator answers to a call. */
sealed interface PspAnswer {

  /** Done; the charge as it stood right after, and the refund when it was one. */
  record Approved(SimulatedCharge charge, Optional<PspRefund> refund) implements PspAnswer {}

  /** Declined, finally (402). */
  record Declined(String declineCode) implements PspAnswer {}

  /** The charge's state or sums do not allow it; final (409). */
  record Refused(String detail) implements PspAnswer {}

  /** No such charge (404). */
  record NotFound(String detail) implements PspAnswer {}

  /** The call makes no sense in any state (400). */
  record Invalid(String detail) implements PspAnswer {}

  /** The key belongs to a call with other parameters (422). */
  record KeyReused(String detail) implements PspAnswer {}

  /** Not now; the same call under the same key may yet succeed (503). */
  record Unavailable(String detail) implements PspAnswer {}

  /** Done, but the caller must not learn it: the connection breaks instead. */
  record ReplyLost() implements PspAnswer {}
}
