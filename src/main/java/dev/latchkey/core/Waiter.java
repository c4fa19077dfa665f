package dev.latchkey.core;

/** A caller in the parkingLot. Confined to the parkingLot's loop. */
final class Waiter {

  private final KeyEntry entry;
  private final Caller caller;
  private final long parkedAtNanos;
  private Environment.Timer deadline = Environment.Timer.NONE;
  private boolean overdue;
  private boolean gone;

  /** Its place in the parkingLot's list of the entry, so that it can leave without a search. */
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

  /** Its wait is over, but nobody knows yet whose the key is. */
  void overdue() {
    overdue = true;
  }

  boolean isGone() {
    return gone;
  }

  /** It was answered or hung up. */
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
