package dev.latchkey.store;

/** A method of a store, to count it and to disturb it. */
public enum StoreOperation {
  CLAIM,
  COMPLETE,
  RELEASE,
  RENEW,
  RECORD_STEP,
  WATCH,
  LOOKUP,
  SUBSCRIBE,
  RECORDS,
  PURGE,
  PROBE
}
