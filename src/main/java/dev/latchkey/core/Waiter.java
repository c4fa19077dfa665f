package dev.latchkey.core;

/** A parked caller. Confined to the event loop of its parking lot. */
final class Waiter {

  private final KeyEntry entry;
  private final Caller caller;
  private final long parkedAtNanos;
  private Environment.Timer deadline = Environment.Timer.NONE;
  private boolean overdue;
  private boolean gone;

  /** Index in the parking lot's list, so that it can leave without a search. */
  private int place;

  Waiter(KeyEntry entry, Caller caller, long parkedAtNanos) {
    this.entry = entry;
    this.caller = caller;
    this.parkedAtNanos = parkedAtNanos;
  }

  KeyEntry entry() {
    return entry;
  }

  Caller caller() {
    return caller;
  }

  long parkedAtNanos() {
    return parkedAtNanos;
  }

  void deadline(Environment.Timer timer) {
    deadline = timer;
  }

  void cancelDeadline() {
    deadline.cancel();
  }

  boolean isOverdue() {
    return overdue;
  }

  /** Its wait is over, but the fingerprint of the key is still unknown. */
  void overdue() {
    overdue = true;
  }

  boolean isGone() {
    return gone;
  }

  /** It has a response or hung up. */
  void gone() {
    gone = true;
  }

  int place() {
    return place;
  }

  void place(int index) {
    place = index;
  }
}
