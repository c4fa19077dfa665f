package dev.latchkey.load;

import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/**
 * How long things are waited for, all in milliseconds.
 *
 * @param connectMillis for a connection
 * @param attemptMillis for the answer to one attempt, more than the service may take
 * @param requestMillis from the first attempt; none begins after it
 * @param attempts most attempts of one request
 * @param backoffMillis before the first retry, doubled for each one after
 * @param maxDelayMillis longest pause between two attempts, whatever {@code Retry-After} asks
 * @param stallMillis of trouble without any request ending well, after which the run is given up
 */
record Patience(
    long connectMillis,
    long attemptMillis,
    long requestMillis,
    int attempts,
    long backoffMillis,
    long maxDelayMillis,
    long stallMillis) {

  /** A service may hold a request for 60 s, and its PSP for 65 s. */
  private static final long LONGEST_ANSWER_MILLIS = 75_000;

  /**
   * For a service as it comes, whose PSP takes a while.
   *
   * @param slowMillis how long the PSP takes over a charge
   */
  static Patience ofRun(int slowMillis) {
    return new Patience(
        5_000,
        LONGEST_ANSWER_MILLIS + slowMillis,
        LONGEST_ANSWER_MILLIS + 2L * slowMillis,
        60,
        50,
        5_000,
        2 * LONGEST_ANSWER_MILLIS + 2L * slowMillis);
  }

  /**
   * For the answer to one look, in milliseconds: longer than a service takes that cannot reach its
   * store, shorter than one that may wait for a PSP.
   */
  long lookMillis() {
    return Math.min(attemptMillis, 3 * connectMillis);
  }

  /**
   * The pause before a retry.
   *
   * @param failed attempts so far, 1 or more
   * @param retryAfterSeconds what the service asked for
   * @param random spreads the retries of callers that failed together
   * @return at least 1
   */
  long delayMillis(int failed, OptionalLong retryAfterSeconds, RandomGenerator random) {
    if (retryAfterSeconds.isPresent()) {
      long asked = retryAfterSeconds.getAsLong() * 1_000;
      return Math.max(1, Math.min(asked, maxDelayMillis));
    }
    long doubled = backoffMillis << Math.min(failed - 1, 20);
    long bound = Math.max(2, Math.min(doubled, maxDelayMillis));
    return random.nextLong(bound / 2, bound + 1);
  }
}
