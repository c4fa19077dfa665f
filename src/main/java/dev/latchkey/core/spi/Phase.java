package dev.latchkey.core.spi;

/** Where a known key stands. */
public enum Phase {
  /** Somebody holds the claim, or held it until the lease ran out. */
  IN_PROGRESS,
  /** The answer is stored. */
  COMPLETED,
  /** An attempt ended without an answer worth keeping; the same request may claim it again. */
  RELEASED
}
