package dev.latchkey.load;

import dev.latchkey.load.KeyAnswers.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What happened when: counts over intervals of one length, which doubles whenever there are too
 * many, so that a run of any length takes the same room. Used from one event loop.
 */
final class Timeline {

  /**
   * One interval.
   *
   * @param endSeconds since the run began
   * @param first answers per second that are not marked as replayed
   * @param parked answers per second of duplicates that waited
   * @param replayed answers per second of later ones
   * @param troubles attempts per second that were turned down or broken
   */
  record Point(double endSeconds, double first, double parked, double replayed, double troubles) {}

  static final int MAX_INTERVALS = 400;
  static final int MAX_POINTS = 100;
  private static final long SHORTEST_NANOS = 50_000_000;

  private final Map<Kind, long[]> answers = new EnumMap<>(Kind.class);
  private final long[] troubles = new long[MAX_INTERVALS];
  private long widthNanos = SHORTEST_NANOS;
  private long beganNanos;
  private long endNanos;

  Timeline() {
    for (Kind kind : Kind.values()) {
      answers.put(kind, new long[MAX_INTERVALS]);
    }
  }

  /** The clock starts. */
  void begin(long nowNanos) {
    beganNanos = nowNanos;
    endNanos = nowNanos;
  }

  /** The clock stops; what comes later is not counted. */
  void end(long nowNanos) {
    endNanos = nowNanos;
  }

  /** A request got its 2xx. */
  void answered(Kind kind, long nowNanos) {
    add(counts(kind), nowNanos);
  }

  /** An attempt was turned down or broken. */
  void trouble(long nowNanos) {
    add(troubles, nowNanos);
  }

  private long[] counts(Kind kind) {
    return Objects.requireNonNull(answers.get(kind));
  }

  private void add(long[] counts, long nowNanos) {
    long since = Math.max(0, nowNanos - beganNanos);
    while (since / widthNanos >= MAX_INTERVALS) {
      halve();
    }
    counts[(int) (since / widthNanos)]++;
  }

  private void halve() {
    answers.values().forEach(Timeline::halve);
    halve(troubles);
    widthNanos *= 2;
  }

  private static void halve(long[] counts) {
    for (int i = 0; i < MAX_INTERVALS; i++) {
      counts[i] = i < MAX_INTERVALS / 2 ? counts[2 * i] + counts[2 * i + 1] : 0;
    }
  }

  /** The intervals from the beginning to the end; one that the end cuts short is rated as such. */
  List<Point> points() {
    long span = endNanos - beganNanos;
    while (span / widthNanos >= MAX_POINTS) {
      halve();
    }
    int whole = (int) (span / widthNanos);
    List<Point> points = new ArrayList<>();
    // A sliver at the end would show a rate that nobody had: it goes with the one before.
    boolean sliver = whole > 0 && span - whole * widthNanos < widthNanos / 2;
    int last = sliver ? whole - 1 : whole;
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
        sum(troubles, from, to) / seconds);
  }

  private static long sum(long[] counts, int from, int to) {
    return Arrays.stream(counts, from, to + 1).sum();
  }
}
