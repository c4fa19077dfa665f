package dev.latchkey.store.postgres;

import java.util.concurrent.TimeUnit;

/**
 * The pauses between attempts to connect, each twice as long as the one before: none after a
 * connection that worked, a second at most. Not safe for several threads.
 */
final class ConnectBackOff {

  private static final long FIRST_MILLIS = 50;
  private static final long LAST_MILLIS = 1_000;

  private long nextMillis;
  private long overAtNanos = System.nanoTime();

  boolean isOver() {
    return System.nanoTime() - overAtNanos >= 0;
  }

  /** Begins the next pause. */
  void begin() {
    overAtNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(nextMillis);
    nextMillis = Math.min(LAST_MILLIS, Math.max(FIRST_MILLIS, 2 * nextMillis));
  }

  /** Ends a pause, and forgets those before it. */
  void reset() {
    nextMillis = 0;
    overAtNanos = System.nanoTime();
  }
}
