package dev.latchkey.store;

/** What {@link CountingStore} does to one call. */
public enum StoreFault {
  /** The call is not disturbed. */
  NONE,
  /** Fails as NOT_DONE; the wrapped store never gets the call. */
  FAIL_BEFORE,
  /** The call takes effect, then fails as UNKNOWN. */
  FAIL_AFTER,
  /** Never completes; the wrapped store never gets the call. */
  SILENT_BEFORE,
  /** The call takes effect and never completes. */
  SILENT_AFTER,
  /** The call is held before it reaches the wrapped store. */
  HOLD_BEFORE,
  /** The call takes effect at once; its result is held. */
  HOLD_AFTER
}
