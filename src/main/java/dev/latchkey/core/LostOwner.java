package dev.latchkey.core;

/** How to treat a key whose owner was lost before completion. */
public enum LostOwner {
  /** The next request or a waiter takes the key over and executes the operation. */
  TAKE_OVER,
  /**
   * A person resolves it: 409 {@code attempt-unresolved} until the key expires. For work without an
   * external key that must not be repeated.
   */
  REPORT
}
