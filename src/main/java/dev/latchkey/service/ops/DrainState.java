package dev.latchkey.service.ops;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Whether this process drains, and whether anything had to be cut off. Safe for any thread. */
public final class DrainState {

  private final AtomicBoolean draining = new AtomicBoolean();
  private final AtomicBoolean cutOff = new AtomicBoolean();
  private final AtomicInteger openConnections = new AtomicInteger();

  /**
   * Begins the drain, for good.
   *
   * @return true the first time
   */
  public boolean begin() {
    return draining.compareAndSet(false, true);
  }

  /** Returns whether the drain has begun. */
  public boolean isDraining() {
    return draining.get();
  }

  /** Counts a connection. */
  public void opened() {
    openConnections.incrementAndGet();
  }

  /** Counts a connection that ended. */
  public void closed() {
    openConnections.decrementAndGet();
  }

  /** Notes that a connection is about to be closed although an answer is owed on it. */
  public void cutOff() {
    cutOff.set(true);
  }

  /**
   * Whether all connections ended by themselves, once nothing was owed on them. Asked at the end,
   * when the connections that are left are being closed: one that is still open is left over, one
   * that is closed has said before whether it was cut off.
   */
  public boolean endedCleanly() {
    return openConnections.get() == 0 && !cutOff.get();
  }
}
