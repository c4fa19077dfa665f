package dev.latchkey.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.latchkey.load.KeyResponses.Kind;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class TimelineTest {

  private static final long MILLI = 1_000_000;
  private static final long START = 77;
  private static final Offset<Double> CLOSE = within(1e-6);

  private final Timeline timeline = new Timeline();

  private List<Timeline.Point> endingAt(long millis) {
    timeline.end(START + millis * MILLI);
    return timeline.points();
  }

  @Test
  void countsAreRatesPerKindAndInterval() {
    timeline.start(START);
    timeline.succeeded(Kind.FIRST, START + 10 * MILLI);
    timeline.succeeded(Kind.PARKED, START + 49 * MILLI);
    timeline.succeeded(Kind.REPLAYED, START + 50 * MILLI);
    timeline.failed(START + 99 * MILLI);

    List<Timeline.Point> points = endingAt(100);
    assertThat(points).hasSize(2);
    assertThat(points.get(0)).isEqualTo(new Timeline.Point(0.05, 20, 20, 0, 0));
    assertThat(points.get(1)).isEqualTo(new Timeline.Point(0.1, 0, 0, 20, 20));
  }

  @Test
  void shortRunUsesItsDuration() {
    timeline.start(START);
    timeline.succeeded(Kind.FIRST, START + MILLI);

    assertThat(endingAt(10)).containsExactly(new Timeline.Point(0.01, 100, 0, 0, 0));
  }

  @Test
  void veryShortLastIntervalIsMerged() {
    timeline.start(START);
    timeline.succeeded(Kind.FIRST, START + 60 * MILLI);
    timeline.succeeded(Kind.FIRST, START + 101 * MILLI);

    List<Timeline.Point> points = endingAt(102);
    assertThat(points).hasSize(2);
    assertThat(points.get(1).first()).isCloseTo(2 / 0.052, CLOSE);
  }

  @Test
  void longRunUsesNoMoreMemoryAndLosesNoCount() {
    timeline.start(START);
    long responses = 100_000;
    for (long i = 0; i < responses; i++) {
      timeline.succeeded(Kind.PARKED, START + i * 10 * MILLI);
    }

    List<Timeline.Point> points = endingAt(responses * 10);
    assertThat(points).hasSizeBetween(Timeline.MAX_POINTS / 2, Timeline.MAX_POINTS);
    double before = 0;
    double counted = 0;
    for (Timeline.Point point : points) {
      counted += point.parked() * (point.endSeconds() - before);
      before = point.endSeconds();
    }
    assertThat(counted).isCloseTo(responses, within(0.5));
    assertThat(points).allSatisfy(point -> assertThat(point.parked()).isCloseTo(100, within(1.0)));
  }

  @Test
  void emptyRunIsOnePoint() {
    timeline.start(START);

    assertThat(endingAt(0)).hasSize(1);
  }
}
