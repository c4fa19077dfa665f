package dev.latchkey.core;

/** What the lots of a node are told of a key that they hold waiters of. Immutable. */
public sealed interface EntryEvent {

  /** Returns the key's entry. */
  KeyEntry entry();

  /**
   * It is over: every waiter is answered.
   *
   * @param entry of the key, no longer in the table
   * @param result what to tell whom
   * @param atNanos when it was known on this node
   */
  record Settled(KeyEntry entry, EntryResult result, long atNanos) implements EntryEvent {}

  /**
   * The store has said whose the key is: who asks for another request is refused, who was not
   * willing to wait is told so.
   *
   * @param entry of the key
   */
  record Decided(KeyEntry entry) implements EntryEvent {}

  /**
   * A claim is held and has nobody to run it: one waiter takes it.
   *
   * @param entry of the key
   */
  record Offered(KeyEntry entry) implements EntryEvent {}

  /**
   * Every waiter is sent away, but the entry stays.
   *
   * @param entry of the key
   * @param response what to tell them
   */
  record Expelled(KeyEntry entry, CallerResponse response) implements EntryEvent {}
}
