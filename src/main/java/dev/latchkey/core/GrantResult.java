package dev.latchkey.core;

/** Who executes a granted claim. */
enum GrantResult {
  /** The caller that requested it. */
  TO_OWNER,
  /** One of the waiters; the last one to leave gives it back. */
  OFFERED,
  /** No caller: the claim must be given back. */
  UNWANTED
}
