package dev.latchkey.core;

/**
 * Planted bugs. The simulation must find each of them. Bugs of the store are in {@link SimStore}
 * and {@link SimStoreRows}; bugs of the engine are at its boundaries, in {@link SimMutantStore}
 * (calls to the store and their results), {@link SimProcess} (timers and events), {@link SimCall}
 * and {@link SimPsp}.
 */
enum SimMutant {
  NONE,
  /** Store: completes for any token. */
  COMPLETE_UNFENCED,
  /** Store: releases for any token. */
  RELEASE_UNFENCED,
  /** Store: renews for any token. */
  RENEW_UNFENCED,
  /** Store: a released key loses its fingerprint. */
  RELEASE_FORGETS_REQUEST,
  /** Store: a takeover ignores the fingerprint. */
  TAKEOVER_IGNORES_FINGERPRINT,
  /** Store: a key expires under a live lease. */
  EXPIRY_UNDER_LIVE_LEASE,
  /** Store: leases use the clock of the calling node. */
  LEASE_BY_NODE_CLOCK,
  /** Both: interest is registered once and lost at a takeover. */
  INTEREST_DROPPED_AT_TAKEOVER,
  /** Store: recorded steps are lost at a takeover. */
  STEPS_DROPPED_AT_TAKEOVER,
  /** Store: two claims within a few milliseconds are both granted. */
  CLAIM_NOT_ATOMIC,
  /** Store: an effect that does not apply is skipped. */
  REFUSED_EFFECT_LEFT_OUT,
  /** Engine: a response goes out before it is stored. */
  ANSWER_BEFORE_COMMIT,
  /** Engine: a watch reads before it registers interest. */
  READ_BEFORE_WATCH,
  /** Engine: every failed claim counts as not sent. */
  GHOST_LEFT,
  /** Engine: releases are not sent. */
  RELEASE_SWALLOWED,
  /** Engine: leases are not renewed. */
  RENEWAL_SWALLOWED,
  /** Engine: after a completion without a result, the claim is released. */
  READ_BACK_RELEASES,
  /** Engine: a completion without a result counts as done. */
  UNKNOWN_TAKEN_FOR_DONE,
  /** Engine: a superseded owner sends its own response. */
  DEMOTED_OWNER_ANSWERS,
  /** Engine: a refused effect counts as a completion. */
  REFUSAL_TAKEN_FOR_DONE,
  /** Engine: an attempt that a person must resolve is taken over. */
  LOST_OWNER_IS_RUN_AGAIN,
  /** Engine: the replay cache ignores expiry. */
  REPLAY_AFTER_EXPIRY,
  /** Engine: some events are lost. */
  NEWS_LOST,
  /** Engine: watched keys have no lease timer. */
  LEASE_TIMER_LOST,
  /** Engine: a waiter that times out releases the awaited claim. */
  IMPATIENT_WAITER_RELEASES,
  /** Engine: every attempt derives another key for its external call. */
  OUTSIDE_KEY_PER_ATTEMPT
}
