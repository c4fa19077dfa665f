package dev.latchkey.idempotency.impl.flow;

/** Bugs to plant, at the seams of the control flow: the simulation has to find each of them. */
enum SimMutant {
  NONE,
  /** The store completes for any token. */
  COMPLETE_UNFENCED,
  /** The store releases for any token. */
  RELEASE_UNFENCED,
  /** The store renews for any token. */
  RENEW_UNFENCED,
  /** A released key forgets which request it names. */
  RELEASE_FORGETS_REQUEST,
  /** A lapsed key is granted to any request. */
  TAKEOVER_IGNORES_FINGERPRINT,
  /** A key expires although its lease is not over. */
  EXPIRY_UNDER_LIVE_LEASE,
  /** The store answers a completion before it commits it. */
  ANSWER_BEFORE_COMMIT,
  /** A watch reads first and registers its interest after that. */
  READ_BEFORE_WATCH,
  /** The lease is counted by the clock of whichever node asks. */
  LEASE_BY_NODE_CLOCK,
  /** Every failed claim is taken for one that never reached the store. */
  GHOST_LEFT,
  /** A release is never sent and taken for done. */
  RELEASE_SWALLOWED,
  /** Some news never reach their loop. */
  NEWS_LOST
}
