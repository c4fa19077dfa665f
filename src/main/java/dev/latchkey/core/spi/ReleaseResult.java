package dev.latchkey.core.spi;

/** The result of a release. */
public enum ReleaseResult {
  /** Released, now or by an earlier copy of the call. Fingerprint and steps are kept. */
  RELEASED,
  /** The caller does not hold the claim. Nothing was written. */
  LOST_LEASE
}
