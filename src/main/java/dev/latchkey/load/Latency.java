package dev.latchkey.load;

import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** A distribution of durations with three digits, from a microsecond to an hour. */
final class Latency {
  private static final long LONGEST_MICROS = TimeUnit.HOURS.toMicros(1);

  private final Histogram micros = new Histogram(LONGEST_MICROS, 3);

  /** Adds a duration; more than an hour counts as an hour. */
  void record(long nanos) {
    micros.recordValue(Math.max(0, Math.min(nanos / 1_000, LONGEST_MICROS)));
  }

  long count() {
    return micros.getTotalCount();
  }

  /** {@code {p50, p90, p99, max}} in milliseconds; zeros if empty. */
  JsonObject quartet() {
    return new JsonObject()
        .put("p50", millis(50))
        .put("p90", millis(90))
        .put("p99", millis(99))
        .put("max", millis(100));
  }

  /** {@code {p50, p99, max}} in milliseconds; zeros if empty. */
  JsonObject trio() {
    return new JsonObject().put("p50", millis(50)).put("p99", millis(99)).put("max", millis(100));
  }

  /** Returns one line of text, empty if there is no duration. */
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

  /** Returns a percentile in milliseconds; 0 if empty. */
  double millis(double percentile) {
    return Math.min(micros.getValueAtPercentile(percentile), micros.getMaxValue()) / 1_000.0;
  }
}
