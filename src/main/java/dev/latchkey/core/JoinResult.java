package dev.latchkey.core;

/** The result of joining an entry as a waiter. */
enum JoinResult {
  PARKED,
  /** The entry has ended: look up the key again. */
  GONE,
  /** The key belongs to another request. */
  REUSED,
  /** The key belonged to another request, but may have expired. Counted as parked. */
  STALE,
  /** The caller does not wait. */
  NO_WAIT,
  TOO_MANY
}
