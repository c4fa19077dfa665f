package dev.latchkey.nodes;

/** The work of two nodes on one key while the connections of the first node are cut. */
enum CutScenario {
  /** The first executes; a duplicate waits on the second. */
  OWNER,
  /** The second executes; a duplicate waits on the first. */
  WAITER,
  /** The first ends with a response that is not stored; a duplicate waits on the second. */
  RELEASER,
  /** The first executes past half its lease; a duplicate waits on the second. */
  RENEWER,
  /** A duplicate waits on the first, which loses all connections and subscribes again. */
  LISTENER
}
