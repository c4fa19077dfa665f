package dev.latchkey.core.spi;

/**
 * When a key expires, by the store's clock.
 *
 * @param atEpochMillis the instant on the store's clock, in milliseconds since 1970; the same in
 *     every result for a completed key
 * @param inMillis the time left when the store replied. A node counts it from <em>before</em> its
 *     call, so its clock need not agree with the store's
 */
public record Expiry(long atEpochMillis, long inMillis) {

  /**
   * The longest duration of a lease or retention, 100 years: sums of two still fit in nanoseconds.
   */
  public static final long MAX_DURATION_MILLIS = 36_525L * 86_400_000;

  /**
   * Returns the earliest time at which the store may free the key.
   *
   * @param askedAtNanos when the store was asked, on the node's monotonic clock
   * @return a time on the same clock; at most {@value #MAX_DURATION_MILLIS} ms later
   */
  public long freeAtNanos(long askedAtNanos) {
    return askedAtNanos + Math.min(inMillis, MAX_DURATION_MILLIS) * 1_000_000L;
  }
}
