package dev.latchkey.store;

/** What {@link CountingStore} does to one call. */
public enum StoreFault {
  /** Nothing: the call goes through. */
  NONE,
  /** Fails as NOT_DONE; the store behind never sees the call. */
  FAIL_BEFORE,
  /** The call takes effect, then fails as UNKNOWN. */
  FAIL_AFTER,
  /** Never answers; the store behind never sees the call. */
  SILENT_BEFORE,
  /** The call takes effect and is never answered. */
  SILENT_AFTER,
  /** The call reaches the store behind, and is answered, only when told to. */
  HOLD_BEFORE,
  /** The call takes effect at once; its answer comes only when told to. */
  HOLD_AFTER
}
