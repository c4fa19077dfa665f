package dev.latchkey.core;

/** A parked caller. Confined to the event loop of its parking lot, which owns the fields. */
final class Waiter {

  final KeyEntry entry;
  final Caller caller;
  final long parkedAtNanos;
  Environment.Timer deadline = Environment.Timer.NONE;

  /** The wait is over, but the fingerprint of the key is still unknown. */
  boolean overdue;

  /** The caller has a response or hung up. */
  boolean gone;

  /** Index in the parking lot's list, so that it can leave without a search. */
  int index;

  Waiter(KeyEntry entry, Caller caller, long parkedAtNanos) {
    this.entry = entry;
    this.caller = caller;
    this.parkedAtNanos = parkedAtNanos;
  }

  boolean isFor(KeyEntry other) {
    return other.isFor(caller.operation().fingerprint());
  }
}
