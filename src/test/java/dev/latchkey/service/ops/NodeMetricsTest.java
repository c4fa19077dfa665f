package dev.latchkey.service.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.IdempotencyListener.Limit;
import dev.latchkey.core.IdempotencyListener.Outcome;
import dev.latchkey.core.IdempotencyListener.StoreCall;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeMetricsTest {

  private final NodeMetrics metrics = new NodeMetrics();

  @Test
  void exportsEverySeriesBeforeAnyEvent() {
    metrics.parked(() -> 0);
    List<String> names = seriesOf(metrics.scrape());
    fireEveryEvent();
    assertThat(seriesOf(metrics.scrape()))
        .isEqualTo(names)
        .contains(
            "latchkey_requests_total{outcome=\"executed\"}",
            "latchkey_parked",
            "latchkey_park_seconds_count",
            "latchkey_wake_seconds_count",
            "latchkey_takeovers_total",
            "latchkey_lost_leases_total",
            "latchkey_store_calls_total{operation=\"claim\",result=\"ok\"}",
            "latchkey_store_seconds_count{operation=\"record_step\"}");
  }

  @Test
  void countsEveryEvent() {
    metrics.parked(() -> 3);
    fireEveryEvent();
    fireEveryEvent();
    assertThat(metrics.scrape().lines())
        .contains(
            "latchkey_requests_total{outcome=\"reused\"} 2.0",
            "latchkey_parked 3.0",
            "latchkey_park_seconds_count 2",
            "latchkey_park_seconds_sum 0.014",
            "latchkey_wake_seconds_count 2",
            "latchkey_takeovers_total 2.0",
            "latchkey_lost_leases_total 2.0",
            "latchkey_discarded_total 2.0",
            "latchkey_store_calls_total{operation=\"record_step\",result=\"not_done\"} 2.0",
            "latchkey_store_calls_total{operation=\"record_step\",result=\"ok\"} 0.0",
            "latchkey_store_seconds_bucket{operation=\"claim\",le=\"1.0E-4\"} 0",
            "latchkey_too_many_total{limit=\"parked_per_key\"} 2.0",
            "latchkey_replay_cache_total{result=\"hit\"} 2.0",
            "latchkey_replay_cache_total{result=\"miss\"} 0.0",
            "latchkey_missing_keys_total 2.0",
            "latchkey_psp_seconds_count{operation=\"charge\",outcome=\"approved\"} 0",
            "latchkey_event_loop_lag_seconds_count 0")
        .noneMatch(line -> line.contains("unknownOperation"));
  }

  private void fireEveryEvent() {
    for (Outcome outcome : Outcome.values()) {
      metrics.responded(outcome);
    }
    metrics.unparked(7_000_000);
    metrics.woken(600_000);
    metrics.takenOver();
    metrics.leaseLost();
    metrics.resultDiscarded();
    metrics.limitReached(Limit.PARKED_PER_KEY);
    metrics.replayCacheQueried(true);
    metrics.keyMissing();
    metrics.storeCalled("recordStep", StoreCall.NOT_DONE, 2_000_000);
    metrics.storeCalled("unknownOperation", StoreCall.OK, 1);
  }

  private static List<String> seriesOf(String scrape) {
    return scrape
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.substring(0, line.lastIndexOf(' ')))
        .toList();
  }
}
