package dev.latchkey.client;

import java.util.Arrays;
import java.util.OptionalLong;

/** The 95th percentile of the latest latencies. Safe for use by any thread. */
final class LatencyWindow {

  private static final int SIZE = 256;
  private static final int MIN_SAMPLES = 20;

  /** After how many samples the percentile is computed again. */
  private static final int STRIDE = 16;

  private final long[] samples = new long[SIZE];
  private int count;
  private long p95Nanos;

  synchronized void add(long nanos) {
    samples[count % SIZE] = nanos;
    count++;
    if (count == MIN_SAMPLES || (count > MIN_SAMPLES && count % STRIDE == 0)) {
      long[] sorted = Arrays.copyOf(samples, Math.min(count, SIZE));
      Arrays.sort(sorted);
      p95Nanos = sorted[sorted.length * 95 / 100];
    }
    if (count == 2 * SIZE) {
      count = SIZE;
    }
  }

  /** Returns the percentile in milliseconds, rounded up; empty until there are enough samples. */
  synchronized OptionalLong p95Millis() {
    return count < MIN_SAMPLES ? OptionalLong.empty() : OptionalLong.of(p95Nanos / 1_000_000 + 1);
  }
}
