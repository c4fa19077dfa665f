package dev.latchkey.core.spi;

/** The phase of a known key. */
public enum Phase {
  /** Claimed; the lease may have expired. */
  IN_PROGRESS,
  /** The response is stored. */
  COMPLETED,
  /** An attempt ended without a stored response; the same request may claim the key again. */
  RELEASED
}
