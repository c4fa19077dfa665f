package dev.latchkey.core.spi;

/** What a store tells a node that asked to be woken. */
public sealed interface Notification {

  /**
   * A watched key was completed or released. May come late, twice or, when a connection broke,
   * never: it is a hint to look, not a fact.
   *
   * @param key the key
   */
  record Settled(ScopedKey key) implements Notification {}

  /** Notices may have been lost and come again from here on: look at all that is waited for. */
  record Gap() implements Notification {}
}
