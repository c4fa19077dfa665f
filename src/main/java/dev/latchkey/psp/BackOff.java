package dev.latchkey.psp;

import java.util.random.RandomGenerator;

/**
 * How long to wait before the next attempt: twice as long each time, up to a bound, of which a
 * random half is left out so that many callers do not come back together.
 */
record BackOff(long firstMillis, long maxMillis) {
  private static final int MAX_DOUBLINGS = 20;

  /** Returns the delay in milliseconds after this many attempts, at least one. */
  long delayMillis(int attempts, RandomGenerator random) {
    long full = Math.min(maxMillis, firstMillis << Math.min(attempts - 1, MAX_DOUBLINGS));
    long half = Math.max(1, full / 2);
    return half + random.nextLong(half + 1);
  }
}
