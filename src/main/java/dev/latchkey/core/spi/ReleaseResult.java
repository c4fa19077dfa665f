package dev.latchkey.core.spi;

/** What became of a release. */
public enum ReleaseResult {
  /** The key is released, now or by an earlier sending; fingerprint and steps are kept. */
  RELEASED,
  /** The claim is not, or no longer, the caller's: nothing was written. */
  LOST_LEASE
}
