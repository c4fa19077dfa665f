package dev.latchkey.core.spi;

/** What became of a recorded step. */
public enum StepResult {
  /** The result is stored, now or by an earlier sending. */
  RECORDED,
  /** The claim is not, or no longer, the caller's: nothing was written. */
  LOST_LEASE,
  /** The key has {@value IdempotencyStore#MAX_STEPS} steps already, or the result is too long. */
  TOO_MANY
}
