package dev.latchkey.nodes;

/** What two nodes do about one key while the connections of the first are cut. */
enum CutScene {
  /** The first runs and is waited for on the second. */
  OWNER,
  /** The first waits for the second. */
  WAITER,
  /** The first runs to an answer that is not stored, waited for on the second. */
  RELEASER,
  /** The first runs for longer than half its lease, waited for on the second. */
  RENEWER,
  /** The first waits for the second, loses all its connections and listens anew. */
  LISTENER
}
