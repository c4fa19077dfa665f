package dev.latchkey.core;

/**
 * Bugs to plant: the simulation has to find each of them. Those of the store stand in {@link
 * SimRecords} and {@link SimRows}; those of the control engine at its seams, in {@link
 * SimMutantStore} (what it asks of the store and understands of the answer), {@link SimProcess}
 * (timers and news), {@link SimCall} and {@link SimPsp}.
 */
enum SimMutant {
  NONE,
  /** Store: completes for any token. */
  COMPLETE_UNFENCED,
  /** Store: releases for any token. */
  RELEASE_UNFENCED,
  /** Store: renews for any token. */
  RENEW_UNFENCED,
  /** Store: a released key forgets which request it names. */
  RELEASE_FORGETS_REQUEST,
  /** Store: a lapsed key is granted to any request. */
  TAKEOVER_IGNORES_FINGERPRINT,
  /** Store: a key expires although its lease is not over. */
  EXPIRY_UNDER_LIVE_LEASE,
  /** Store: the lease is counted by the clock of whichever node asks. */
  LEASE_BY_NODE_CLOCK,
  /** Both: interest is registered once, and forgotten when the key is taken over. */
  INTEREST_DROPPED_AT_TAKEOVER,
  /** Store: what earlier attempts recorded is forgotten when the key is taken over. */
  STEPS_DROPPED_AT_TAKEOVER,
  /** Store: two claims that arrive within a few milliseconds are both granted. */
  CLAIM_NOT_ATOMIC,
  /** Store: an effect that does not apply is left out, and the completion goes on. */
  REFUSED_EFFECT_LEFT_OUT,
  /** Flow: an answer goes out before it is stored. */
  ANSWER_BEFORE_COMMIT,
  /** Flow: a watch reads first and registers its interest after that. */
  READ_BEFORE_WATCH,
  /** Flow: every failed claim is taken for one that never reached the store. */
  GHOST_LEFT,
  /** Flow: a release is never sent and taken for done. */
  RELEASE_SWALLOWED,
  /** Flow: a running attempt is never renewed. */
  RENEWAL_SWALLOWED,
  /** Flow: a completion whose answer was lost is read back, and the claim released. */
  READ_BACK_RELEASES,
  /** Flow: a completion whose answer was lost is taken for done. */
  UNKNOWN_TAKEN_FOR_DONE,
  /** Flow: who has lost its lease answers its own response. */
  DEMOTED_OWNER_ANSWERS,
  /** Flow: a refused effect is taken for a completion. */
  REFUSAL_TAKEN_FOR_DONE,
  /** Flow: what is to be left to a person is taken over. */
  LOST_OWNER_IS_RUN_AGAIN,
  /** Flow: the cache of completed keys does not mind when they expire. */
  REPLAY_AFTER_EXPIRY,
  /** Flow: some news never reach their loop. */
  NEWS_LOST,
  /** Flow: nobody looks at a watched key when its lease ends. */
  LEASE_TIMER_LOST,
  /** Flow: a waiter whose patience ends gives the claim back that it waited for. */
  IMPATIENT_WAITER_RELEASES,
  /** Flow: the derived key of an outside call is another one for every attempt. */
  OUTSIDE_KEY_PER_ATTEMPT
}
