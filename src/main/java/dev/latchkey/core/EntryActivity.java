package dev.latchkey.core;

/** What this node does for a key. */
enum EntryActivity {
  CLAIMING,
  /** This node holds the claim. */
  RUNNING,
  /** Another owner holds it; interest is registered and the lease timer armed. */
  WATCHING,
  /** Removed from the table. */
  GONE
}
