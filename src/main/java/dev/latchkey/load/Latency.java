package dev.latchkey.load;

import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** A distribution of times, to three digits, in microseconds up to an hour. */
final class Latency {
  private static final long LONGEST_MICROS = TimeUnit.HOURS.toMicros(1);

  private final Histogram micros = new Histogram(LONGEST_MICROS, 3);

  /** Adds one; what is over an hour counts as an hour. */
  void record(long nanos) {
    micros.recordValue(Math.max(0, Math.min(nanos / 1_000, LONGEST_MICROS)));
  }

  long count() {
    return micros.getTotalCount();
  }

  /** {@code {p50, p90, p99, max}} in milliseconds, zeros when there is none. */
  JsonObject quartet() {
    return new JsonObject()
        .put("p50", millis(50))
        .put("p90", millis(90))
        .put("p99", millis(99))
        .put("max", millis(100));
  }

  /** {@code {p50, p99, max}} in milliseconds, zeros when there is none. */
  JsonObject trio() {
    return new JsonObject().put("p50", millis(50)).put("p99", millis(99)).put("max", millis(100));
  }

  /** One line for people, empty when there is none. */
  String line() {
    return count() == 0
        ? ""
        : String.format(
            Locale.ROOT,
            "p50 %.1f ms, p90 %.1f ms, p99 %.1f ms, max %.1f ms",
            millis(50),
            millis(90),
            millis(99),
            millis(100));
  }

  /** The time, in milliseconds, that so many percent did not exceed; 0 when there is none. */
  double millis(double percentile) {
    return Math.min(micros.getValueAtPercentile(percentile), micros.getMaxValue()) / 1_000.0;
  }
}
