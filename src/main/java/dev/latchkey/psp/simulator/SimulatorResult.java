package dev.latchkey.psp.simulator;

import dev.latchkey.psp.PspResult.PspRefund;
import org.jspecify.annotations.Nullable;

/** The simulator's result of a call. */
sealed interface SimulatorResult {

  /** Done: the charge right after the call, and the refund if the call was one. */
  record Approved(SimulatedCharge charge, @Nullable PspRefund refund) implements SimulatorResult {}

  /** The card was declined; final (402). */
  record Declined(String declineCode) implements SimulatorResult {}

  /**
   * An error with its HTTP status: 400 invalid, 404 unknown charge, 409 not allowed by state or
   * sums, 422 key used for another call, 503 unavailable. Only 409 is final.
   */
  record Problem(int status, String detail) implements SimulatorResult {}

  /** Done, but the response must not be sent: the connection breaks instead. */
  record ResponseLost() implements SimulatorResult {}
}
