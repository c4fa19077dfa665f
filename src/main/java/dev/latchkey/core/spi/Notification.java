package dev.latchkey.core.spi;

/** A message from the store to a node that watches keys. */
public sealed interface Notification {

  /**
   * A watched key was completed or released. It may arrive late, twice or, after a broken
   * connection, never. It is a hint to read the key.
   *
   * @param key the key
   */
  record Settled(ScopedKey key) implements Notification {}

  /** Notifications may have been lost, and arrive again from now on: read all watched keys. */
  record Gap() implements Notification {}
}
