package dev.latchkey.service.ops;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Whether this process drains, and whether a response was cut off. Safe for any thread. */
public final class DrainState {

  private final AtomicBoolean announced = new AtomicBoolean();
  private final AtomicBoolean draining = new AtomicBoolean();
  private final AtomicBoolean cutOff = new AtomicBoolean();
  private final AtomicInteger openConnections = new AtomicInteger();

  /**
   * Reports the node as not ready, while it still serves.
   *
   * @return true the first time
   */
  public boolean announce() {
    return announced.compareAndSet(false, true);
  }

  /** Returns whether the node reports that it is not ready. */
  public boolean isAnnounced() {
    return announced.get();
  }

  /** Begins the drain: requests that arrive are refused. */
  public void begin() {
    announced.set(true);
    draining.set(true);
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
