package dev.latchkey.service.ops;

import dev.latchkey.core.IdempotencyListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Prometheus metrics of a node. All series exist from the start, so that rates include the first
 * event. Safe for any thread; an event costs a few atomic additions.
 */
public final class NodeMetrics implements IdempotencyListener {

  /** Methods of the store SPI and their values of the label {@code operation}. */
  private static final Map<String, String> OPERATIONS =
      Map.of(
          "claim", "claim",
          "complete", "complete",
          "release", "release",
          "renew", "renew",
          "recordStep", "record_step",
          "watch", "watch",
          "lookup", "lookup",
          "records", "records",
          "purgeExpired", "purge_expired",
          "probe", "probe");

  private static final Duration[] BUCKETS =
      List.of(
              1L, 2L, 5L, 10L, 25L, 50L, 100L, 250L, 500L, 1_000L, 2_500L, 5_000L, 10_000L, 30_000L,
              60_000L)
          .stream()
          .map(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<Outcome, Counter> requests = new EnumMap<>(Outcome.class);
  private final Map<String, Timer> store = new HashMap<>();
  private final Timer park;
  private final Timer wake;
  private final Counter takeovers;
  private final Counter lostLeases;
  private final Counter displaced;

  /** Registers all series except the gauge {@code latchkey_parked}. */
  public NodeMetrics() {
    for (Outcome outcome : Outcome.values()) {
      requests.put(
          outcome,
          Counter.builder("latchkey.requests")
              .description("Requests to keyed routes by outcome")
              .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
    OPERATIONS.forEach((method, operation) -> store.put(method, store(operation)));
    park = timer("latchkey.park", "Time for which requests were parked").register(registry);
    wake =
        timer("latchkey.wake", "From a known completion to the response of a parked request")
            .register(registry);
    takeovers =
        Counter.builder("latchkey.takeovers")
            .description("Attempts that took over after the previous lease expired")
            .register(registry);
    lostLeases =
        Counter.builder("latchkey.lost.leases")
            .description("Claims of this node whose lease was lost")
            .register(registry);
    displaced =
        Counter.builder("latchkey.displaced")
            .description("Results discarded because another request took the key")
            .register(registry);
  }

  /**
   * Registers the gauge of parked requests.
   *
   * @param parked returns the current number, on any thread
   */
  public void parked(IntSupplier parked) {
    Gauge.builder("latchkey.parked", () -> parked.getAsInt())
        .description("Requests parked on this node")
        .register(registry);
  }

  /**
   * Renders all metrics in the Prometheus text format. May block; not for an event loop.
   *
   * @return the text
   */
  public String scrape() {
    return registry.scrape();
  }

  @Override
  public void responded(Outcome outcome) {
    Counter counter = requests.get(outcome);
    if (counter != null) {
      counter.increment();
    }
  }

  @Override
  public void unparked(long parkedNanos) {
    park.record(parkedNanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void woken(long wakeNanos) {
    wake.record(wakeNanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void takenOver() {
    takeovers.increment();
  }

  @Override
  public void leaseLost() {
    lostLeases.increment();
  }

  @Override
  public void resultDiscarded() {
    displaced.increment();
  }

  @Override
  public void storeCalled(String operation, long nanos) {
    Timer time = store.get(operation);
    if (time != null) {
      time.record(nanos, TimeUnit.NANOSECONDS);
    }
  }

  private Timer store(String operation) {
    Timer time =
        timer("latchkey.store", "Duration of store calls")
            .tag("operation", operation)
            .register(registry);
    FunctionCounter.builder("latchkey.store.calls", time, Timer::count)
        .description("Calls to the store")
        .tag("operation", operation)
        .register(registry);
    return time;
  }

  private static Timer.Builder timer(String name, String description) {
    return Timer.builder(name).description(description).serviceLevelObjectives(BUCKETS);
  }
}
