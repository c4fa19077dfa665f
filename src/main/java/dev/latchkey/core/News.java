package dev.latchkey.core;

/** What the lots of a node are told of a key that they hold waiters of. Immutable. */
public sealed interface News {

  /** Returns the key's entry. */
  Entry entry();

  /**
   * It is over: every waiter is answered.
   *
   * @param entry of the key, no longer in the table
   * @param settlement what to tell whom
   * @param atNanos when it was known on this node
   */
  record Settled(Entry entry, Settlement settlement, long atNanos) implements News {}

  /**
   * The store has said whose the key is: who asks for another request is refused, who was not
   * willing to wait is told so.
   *
   * @param entry of the key
   */
  record Decided(Entry entry) implements News {}

  /**
   * A claim is held and has nobody to run it: one waiter takes it.
   *
   * @param entry of the key
   */
  record Offered(Entry entry) implements News {}

  /**
   * Every waiter is sent away, but the entry stays.
   *
   * @param entry of the key
   * @param verdict what to tell them
   */
  record Expelled(Entry entry, Verdict verdict) implements News {}
}
