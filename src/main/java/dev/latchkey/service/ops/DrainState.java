package dev.latchkey.service.ops;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Whether this process drains, and whether a response was cut off. Safe for any thread. */
public final class DrainState {

  private final AtomicBoolean draining = new AtomicBoolean();
  private final AtomicBoolean cutOff = new AtomicBoolean();
  private final AtomicInteger openConnections = new AtomicInteger();

  /**
   * Begins the drain.
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

  /** Counts the end of a connection. */
  public void closed() {
    openConnections.decrementAndGet();
  }

  /** Records that a connection closes although a response is pending on it. */
  public void cutOff() {
    cutOff.set(true);
  }

  /**
   * Whether every connection closed after its last response. Valid at the end of the drain, when
   * the remaining connections are being closed: an open one counts as cut off, a closed one has
   * reported it before.
   */
  public boolean endedCleanly() {
    return openConnections.get() == 0 && !cutOff.get();
  }
}
