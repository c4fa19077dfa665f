package dev.latchkey.load;

import dev.latchkey.net.BackOff;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/**
 * Time limits and retries of a run. All times are in milliseconds.
 *
 * @param connectMillis limit for a connection
 * @param attemptMillis limit for one response, longer than the service's own limits
 * @param requestMillis limit from the first send; no retry starts after it
 * @param attempts most sends of one request
 * @param backOff delay before a retry without {@code Retry-After}; its maximum also caps that
 * @param stallMillis of failures without any success, after which the run is abandoned
 */
record RetryPolicy(
    long connectMillis,
    long attemptMillis,
    long requestMillis,
    int attempts,
    BackOff backOff,
    long stallMillis) {

  /** A service may park a request for 60 s and wait 65 s for its PSP. */
  private static final long LONGEST_RESPONSE_MILLIS = 75_000;

  /** Returns the policy for a service with default limits. */
  static RetryPolicy forService(int slowMillis) {
    return new RetryPolicy(
        5_000,
        LONGEST_RESPONSE_MILLIS + slowMillis,
        LONGEST_RESPONSE_MILLIS + 2L * slowMillis,
        60,
        new BackOff(50, 5_000),
        2 * LONGEST_RESPONSE_MILLIS + 2L * slowMillis);
  }

  /**
   * Returns the limit for a read: longer than a service needs that cannot reach its store, shorter
   * than one that waits for its PSP.
   */
  long readMillis() {
    return Math.min(attemptMillis, 3 * connectMillis);
  }

  /** Returns the delay before the retry after a number of sends, at least 1. */
  long delayMillis(int sends, OptionalLong retryAfterSeconds, RandomGenerator random) {
    return retryAfterSeconds.isPresent()
        ? Math.max(1, Math.min(retryAfterSeconds.getAsLong() * 1_000, backOff.maxMillis()))
        : backOff.delayMillis(sends, random);
  }
}
