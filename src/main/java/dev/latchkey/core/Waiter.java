package dev.latchkey.core;

/** A parked request. Confined to the event loop of its parking lot, which owns the fields. */
final class Waiter extends Request {

  final KeyEntry entry;
  final long parkedAtNanos;
  Environment.Timer deadline = Environment.Timer.NONE;

  /** The wait is over, but the fingerprint of the key is still unknown. */
  boolean overdue;

  /** The caller has a response or hung up. */
  boolean gone;

  /** Index in the parking lot's list, so that it can leave without a search. */
  int index;

  Waiter(KeyEntry entry, Request request, long parkedAtNanos) {
    super(request);
    this.entry = entry;
    this.parkedAtNanos = parkedAtNanos;
  }

  boolean isFor(KeyEntry other) {
    return other.isFor(operation().fingerprint());
  }
}
