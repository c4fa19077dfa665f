package dev.latchkey.core;

/** What becomes of a key whose owner died before it was completed. */
public enum LostOwner {
  /** The next request, or one that waits, takes it over and runs. */
  TAKE_OVER,
  /**
   * It is left for a person: 409 {@code attempt-unresolved} until the key expires. For work that
   * has no key outside and must not be repeated.
   */
  REPORT
}
