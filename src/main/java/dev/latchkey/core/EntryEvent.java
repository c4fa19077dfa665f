package dev.latchkey.core;

/** A change of an entry, for the parking lots with waiters on it. Immutable. */
public sealed interface EntryEvent {

  /** Returns the changed entry. */
  KeyEntry entry();

  /**
   * The entry has ended: every waiter gets a response.
   *
   * @param entry the entry, removed from the table
   * @param result the responses
   * @param atNanos when this node learned of it
   */
  record Settled(KeyEntry entry, EntryResult result, long atNanos) implements EntryEvent {}

  /**
   * The store has confirmed the fingerprint: waiters with another request are refused, and waiters
   * past their deadline get a response.
   *
   * @param entry the decided entry
   */
  record Decided(KeyEntry entry) implements EntryEvent {}

  /**
   * A held claim has no owner: one waiter takes it.
   *
   * @param entry the entry with the offer
   */
  record Offered(KeyEntry entry) implements EntryEvent {}

  /**
   * Every waiter gets a response, but the entry stays.
   *
   * @param entry the entry
   * @param response for every waiter
   */
  record Expelled(KeyEntry entry, CallerResponse response) implements EntryEvent {}
}
