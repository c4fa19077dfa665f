package dev.latchkey.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ArrivalsTest {

  private static final long BEGAN = Long.MAX_VALUE - 1_000;
  private static final long MILLI = 1_000_000;

  private static Arrivals open(int keys, double perSecond, OptionalLong duration, int backlog) {
    return new Arrivals(
        new Arrivals.Settings(OptionalDouble.of(perSecond), duration, backlog), keys, BEGAN);
  }

  private static Arrivals closed(int keys, OptionalLong duration) {
    return new Arrivals(new Arrivals.Settings(OptionalDouble.empty(), duration, 1), keys, BEGAN);
  }

  private static List<Long> takeAll(Arrivals arrivals, long afterNanos) {
    List<Long> intended = new ArrayList<>();
    OptionalLong next = arrivals.next(BEGAN + afterNanos);
    while (next.isPresent()) {
      intended.add(next.getAsLong() - BEGAN);
      next = arrivals.next(BEGAN + afterNanos);
    }
    return intended;
  }

  @Test
  void closedLoopIsAlwaysDue() {
    Arrivals arrivals = closed(2, OptionalLong.empty());

    assertThat(arrivals.next(BEGAN + 5)).hasValue(BEGAN + 5);
    assertThat(arrivals.over(BEGAN + 5)).isFalse();
    assertThat(arrivals.next(BEGAN + 7)).hasValue(BEGAN + 7);
    assertThat(arrivals.over(BEGAN + 7)).isTrue();
    assertThat(arrivals.next(BEGAN + 8)).isEmpty();
  }

  @Test
  void closedLoopEndsAtTheFirstLimit() {
    Arrivals byTime = closed(100, OptionalLong.of(10));
    assertThat(byTime.next(BEGAN + 9)).isPresent();
    assertThat(byTime.next(BEGAN + 10)).isEmpty();
    assertThat(byTime.over(BEGAN + 10)).isTrue();

    Arrivals byKeys = closed(1, OptionalLong.of(10));
    assertThat(byKeys.next(BEGAN)).isPresent();
    assertThat(byKeys.over(BEGAN)).isTrue();
  }

  @Test
  void firstKeyIsDueAfterTheDuration() {
    Arrivals arrivals = closed(100, OptionalLong.of(10));

    assertThat(arrivals.over(BEGAN + 11)).isFalse();
    assertThat(arrivals.next(BEGAN + 11)).isPresent();
    assertThat(arrivals.over(BEGAN + 11)).isTrue();
  }

  @Test
  void abandonedClosedLoopReportsItsKeys() {
    Arrivals byKeys = closed(10, OptionalLong.empty());
    byKeys.next(BEGAN);
    assertThat(byKeys.abandon()).isEqualTo(9);
    assertThat(closed(10, OptionalLong.of(10)).abandon()).isZero();
  }

  @Test
  void openLoopKeepsItsDueTimes() {
    Arrivals arrivals = open(1_000, 100, OptionalLong.empty(), 1_000);

    assertThat(takeAll(arrivals, 0)).containsExactly(0L);
    assertThat(takeAll(arrivals, 10 * MILLI - 1)).isEmpty();
    assertThat(takeAll(arrivals, 35 * MILLI)).containsExactly(10 * MILLI, 20 * MILLI, 30 * MILLI);
  }

  @Test
  void fullBacklogCountsAsNotStarted() {
    Arrivals arrivals = open(1_000, 100, OptionalLong.empty(), 3);

    assertThat(takeAll(arrivals, 95 * MILLI)).containsExactly(0L, 10 * MILLI, 20 * MILLI);
    assertThat(arrivals.notStarted()).isEqualTo(7);
    assertThat(takeAll(arrivals, 100 * MILLI)).as("there is room again").hasSize(1);
    assertThat(arrivals.notStarted()).isEqualTo(7);
  }

  @Test
  void openLoopEndsAtTheFirstLimit() {
    Arrivals byTime = open(1_000, 100, OptionalLong.of(50 * MILLI), 1_000);
    assertThat(byTime.over(BEGAN + 49 * MILLI)).isFalse();
    assertThat(takeAll(byTime, 1_000 * MILLI)).as("0 to 40 ms").hasSize(5);
    assertThat(byTime.over(BEGAN + 1_000 * MILLI)).isTrue();

    Arrivals byKeys = open(2, 100, OptionalLong.of(50 * MILLI), 1_000);
    assertThat(takeAll(byKeys, 1_000 * MILLI)).hasSize(2);
    assertThat(byKeys.over(BEGAN + 1_000 * MILLI)).isTrue();
  }

  @Test
  void abandonedOpenLoopCountsWaitingAsNotStarted() {
    Arrivals arrivals = open(10, 100, OptionalLong.empty(), 1_000);
    arrivals.over(BEGAN + 1_000 * MILLI);

    assertThat(arrivals.abandon()).isZero();
    assertThat(arrivals.notStarted()).isEqualTo(10);
  }
}
