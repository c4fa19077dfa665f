package dev.latchkey.server;

import java.util.concurrent.atomic.AtomicBoolean;

/** Whether this process drains, and whether anything had to be cut off. Safe for any thread. */
final class DrainState {

  private final AtomicBoolean draining = new AtomicBoolean();
  private final AtomicBoolean cutOff = new AtomicBoolean();

  /**
   * Begins the drain, for good.
   *
   * @return true the first time
   */
  boolean begin() {
    return draining.compareAndSet(false, true);
  }

  /** Returns whether the drain has begun. */
  boolean isDraining() {
    return draining.get();
  }

  /** Notes that a connection was closed on which an answer was owed. */
  void cutOff() {
    cutOff.set(true);
  }

  /** Returns whether a connection was closed on which an answer was owed. */
  boolean wasCutOff() {
    return cutOff.get();
  }
}
