package dev.latchkey.load;

import dev.latchkey.load.KeyResponses.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Counts over equal intervals. The interval doubles when there are too many, so that the memory is
 * independent of the duration. Confined to one event loop.
 */
final class Timeline {

  /** One interval: its end since the start of the run, and what happened per second. */
  record Point(double endSeconds, double first, double parked, double replayed, double failures) {}

  static final int MAX_INTERVALS = 400;
  static final int MAX_POINTS = 100;
  private static final long SHORTEST_NANOS = 50_000_000;

  private final Map<Kind, long[]> responses = new EnumMap<>(Kind.class);
  private final long[] failures = new long[MAX_INTERVALS];
  private long widthNanos = SHORTEST_NANOS;
  private long startNanos;
  private long endNanos;

  Timeline() {
    for (Kind kind : Kind.values()) {
      responses.put(kind, new long[MAX_INTERVALS]);
    }
  }

  void start(long nowNanos) {
    startNanos = nowNanos;
    endNanos = nowNanos;
  }

  void end(long nowNanos) {
    endNanos = nowNanos;
  }

  void succeeded(Kind kind, long nowNanos) {
    add(counts(kind), nowNanos);
  }

  void failed(long nowNanos) {
    add(failures, nowNanos);
  }

  private long[] counts(Kind kind) {
    return Objects.requireNonNull(responses.get(kind));
  }

  private void add(long[] counts, long nowNanos) {
    long since = Math.max(0, nowNanos - startNanos);
    while (since / widthNanos >= MAX_INTERVALS) {
      halve();
    }
    counts[(int) (since / widthNanos)]++;
  }

  private void halve() {
    responses.values().forEach(Timeline::halve);
    halve(failures);
    widthNanos *= 2;
  }

  private static void halve(long[] counts) {
    for (int i = 0; i < MAX_INTERVALS; i++) {
      counts[i] = i < MAX_INTERVALS / 2 ? counts[2 * i] + counts[2 * i + 1] : 0;
    }
  }

  /** Returns the intervals from start to end; the last one may be shorter. */
  List<Point> points() {
    long span = endNanos - startNanos;
    while (span / widthNanos >= MAX_POINTS) {
      halve();
    }
    int whole = (int) (span / widthNanos);
    List<Point> points = new ArrayList<>();
    // A very short last interval would show a misleading rate, so it is merged.
    boolean tiny = whole > 0 && span - whole * widthNanos < widthNanos / 2;
    int last = tiny ? whole - 1 : whole;
    for (int i = 0; i < last; i++) {
      points.add(point(i, i, (i + 1) * widthNanos));
    }
    points.add(point(last, whole, Math.max(1, span)));
    return points;
  }

  private Point point(int from, int to, long untilNanos) {
    double seconds = (untilNanos - from * widthNanos) / 1e9;
    return new Point(
        untilNanos / 1e9,
        sum(counts(Kind.FIRST), from, to) / seconds,
        sum(counts(Kind.PARKED), from, to) / seconds,
        sum(counts(Kind.REPLAYED), from, to) / seconds,
        sum(failures, from, to) / seconds);
  }

  private static long sum(long[] counts, int from, int to) {
    return Arrays.stream(counts, from, to + 1).sum();
  }
}
