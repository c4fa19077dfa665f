package dev.latchkey.testing;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A clock that stands still while the machine does, and is slow while it is overloaded, for
 * promises that hold on a machine that runs: a tick that ends late counts for at most 1.25 of its
 * length. On a quiet machine it keeps time. Safe for use by any thread.
 */
public final class StallFreeClock implements AutoCloseable {

  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long MOST_NANOS = TICK_NANOS + TICK_NANOS / 4;

  private final Thread ticker = new Thread(this::tick, "stall-free-clock");
  private volatile long nanos;
  private volatile boolean closed;

  /** Starts at 0. */
  public StallFreeClock() {
    ticker.setDaemon(true);
    ticker.start();
  }

  private void tick() {
    long before = System.nanoTime();
    while (!closed) {
      LockSupport.parkNanos(TICK_NANOS);
      long now = System.nanoTime();
      nanos += Math.min(now - before, MOST_NANOS);
      before = now;
    }
  }

  /** Returns the time since the start, in milliseconds. */
  public long millis() {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  @Override
  public void close() {
    closed = true;
  }
}
