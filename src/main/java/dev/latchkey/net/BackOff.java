package dev.latchkey.net;

import java.util.random.RandomGenerator;

/**
 * Exponential back-off with jitter. The delay doubles with every failure up to a bound, and a
 * random part of up to half of it is left out, so that callers that failed together do not retry
 * together.
 *
 * @param firstMillis full delay after the first failure, positive
 * @param maxMillis longest delay, at least {@code firstMillis}
 */
public record BackOff(long firstMillis, long maxMillis) {

  private static final int MAX_DOUBLINGS = 20;

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException when they are not as described
   */
  public BackOff {
    if (firstMillis <= 0 || maxMillis < firstMillis) {
      throw new IllegalArgumentException(
          "back-off from " + firstMillis + " ms to " + maxMillis + " ms");
    }
  }

  /**
   * Returns the delay before the next attempt.
   *
   * @param failures attempts that failed in a row, at least one
   * @param random decides how much is left out
   * @return milliseconds, at least 1
   */
  public long delayMillis(int failures, RandomGenerator random) {
    long full = Math.min(maxMillis, firstMillis << Math.min(failures - 1, MAX_DOUBLINGS));
    long half = Math.max(1, full / 2);
    return half + random.nextLong(full - half + 1);
  }
}
