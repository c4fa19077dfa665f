package dev.latchkey.core.spi;

/** The result of recording a step. */
public enum StepResult {
  /** Recorded, now or by an earlier copy of the call. */
  RECORDED,
  /** The caller does not hold the claim. Nothing was written. */
  LOST_LEASE,
  /** The key already has {@value IdempotencyStore#MAX_STEPS} steps, or the result is too long. */
  TOO_MANY
}
