package dev.latchkey.core;

/** What must happen after a waiter left its entry. */
enum LeaveResult {
  NOTHING_TO_DO,
  WATCH_UNWANTED,
  GRANT_UNWANTED,
  /** A claim is offered and other waiters, who may have parked after the offer, remain. */
  OFFER_AGAIN
}
