package dev.latchkey.web;

import dev.latchkey.core.IdempotencyListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Reports what a node does to Micrometer, under names that begin with {@code latchkey}. All meters
 * are registered at once, so a rate includes the first event. Needs {@code micrometer-core} on the
 * class path. Thread-safe; a call costs a few atomic additions.
 */
public class MicrometerListener implements IdempotencyListener {

  /** The methods of the store SPI and their {@code operation} tags. */
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

  private final MeterRegistry registry;
  private final Map<Outcome, Counter> requests = new EnumMap<>(Outcome.class);
  private final Map<String, Timer> store = new HashMap<>();
  private final Timer park;
  private final Timer wake;
  private final Counter takeovers;
  private final Counter lostLeases;
  private final Counter discarded;

  /**
   * Registers all meters but {@link #parked}. This loads about 200 classes, so avoid an event loop.
   *
   * @param registry receives the meters
   */
  public MicrometerListener(MeterRegistry registry) {
    this.registry = registry;
    for (Outcome outcome : Outcome.values()) {
      requests.put(
          outcome,
          Counter.builder("latchkey.requests")
              .description("Requests to keyed routes by outcome")
              .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
    OPERATIONS.forEach((method, operation) -> store.put(method, storeTimer(operation)));
    park = timer("latchkey.park", "How long requests were parked").register(registry);
    wake =
        timer("latchkey.wake", "From a known completion to the response of a parked request")
            .register(registry);
    takeovers = counter("latchkey.takeovers", "Attempts that took over after a lease expired");
    lostLeases = counter("latchkey.lost.leases", "Claims that this node held and lost");
    discarded =
        counter("latchkey.displaced", "Results discarded because another request took the key");
  }

  /**
   * Registers the number of parked requests.
   *
   * @param parked returns it, on any thread, such as {@link IdempotencyNode#parked}
   */
  public void parked(IntSupplier parked) {
    Gauge.builder("latchkey.parked", () -> parked.getAsInt())
        .description("Requests parked on this node")
        .register(registry);
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
    discarded.increment();
  }

  @Override
  public void storeCalled(String operation, long nanos) {
    Timer timer = store.get(operation);
    if (timer != null) {
      timer.record(nanos, TimeUnit.NANOSECONDS);
    }
  }

  private Counter counter(String name, String description) {
    return Counter.builder(name).description(description).register(registry);
  }

  private Timer storeTimer(String operation) {
    Timer timer =
        timer("latchkey.store", "Duration of store calls")
            .tag("operation", operation)
            .register(registry);
    FunctionCounter.builder("latchkey.store.calls", timer, Timer::count)
        .description("Calls of the store")
        .tag("operation", operation)
        .register(registry);
    return timer;
  }

  private static Timer.Builder timer(String name, String description) {
    return Timer.builder(name).description(description).serviceLevelObjectives(BUCKETS);
  }
}
