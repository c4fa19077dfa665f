package dev.latchkey.web;

import dev.latchkey.core.IdempotencyListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

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
      LongStream.of(
              1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000,
              100_000, 300_000, 600_000)
          .mapToObj(tenths -> Duration.ofNanos(tenths * 100_000))
          .toArray(Duration[]::new);

  private final MeterRegistry registry;
  private final Map<Outcome, Counter> requests;
  private final Map<String, Timer> store = new HashMap<>();
  private final Map<String, Map<StoreCall, Counter>> storeCalls = new HashMap<>();
  private final Map<Limit, Counter> limits;
  private final Counter cacheHits;
  private final Counter cacheMisses;
  private final Counter missingKeys;
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
    requests =
        counters(
            Outcome.class, "outcome", "latchkey.requests", "Requests to keyed routes by outcome");
    OPERATIONS.forEach(
        (method, operation) -> {
          store.put(
              method,
              timer("latchkey.store", "Duration of store calls")
                  .tag("operation", operation)
                  .register(registry));
          storeCalls.put(
              method,
              counters(
                  StoreCall.class,
                  "result",
                  "latchkey.store.calls",
                  "Calls of the store",
                  "operation",
                  operation));
        });
    limits = counters(Limit.class, "limit", "latchkey.too.many", "Requests refused by a limit");
    cacheHits = cacheCounter("hit");
    cacheMisses = cacheCounter("miss");
    missingKeys = counter("latchkey.missing.keys", "Requests to keyed routes without a key");
    park = timer("latchkey.park", "How long requests were parked").register(registry);
    wake =
        timer("latchkey.wake", "From a known completion to the response of a parked request")
            .register(registry);
    takeovers = counter("latchkey.takeovers", "Attempts that took over after a lease expired");
    lostLeases = counter("latchkey.lost.leases", "Claims that this node held and lost");
    discarded =
        counter("latchkey.discarded", "Results discarded because another request took the key");
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

  /**
   * Registers the number of concurrent attempts.
   *
   * @param running returns it, on any thread, such as {@link IdempotencyNode#running}
   */
  public void running(IntSupplier running) {
    Gauge.builder("latchkey.running", () -> running.getAsInt())
        .description("Attempts running on this node")
        .register(registry);
  }

  /**
   * Registers the bytes held for requests without a response.
   *
   * @param bytes returns them, on any thread, such as {@code TenantBudget.taken}
   */
  public void held(LongSupplier bytes) {
    Gauge.builder("latchkey.held.bytes", () -> bytes.getAsLong())
        .description("Bytes held for requests without a response")
        .register(registry);
  }

  @Override
  public void responded(Outcome outcome) {
    increment(requests, outcome);
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
  public void storeCalled(String operation, StoreCall result, long nanos) {
    Timer timer = store.get(operation);
    if (timer != null) {
      timer.record(nanos, TimeUnit.NANOSECONDS);
      increment(storeCalls.getOrDefault(operation, Map.of()), result);
    }
  }

  @Override
  public void limitReached(Limit limit) {
    increment(limits, limit);
  }

  @Override
  public void replayCacheQueried(boolean hit) {
    (hit ? cacheHits : cacheMisses).increment();
  }

  @Override
  public void keyMissing() {
    missingKeys.increment();
  }

  private static <E> void increment(Map<E, Counter> counters, E event) {
    Counter counter = counters.get(event);
    if (counter != null) {
      counter.increment();
    }
  }

  private <E extends Enum<E>> Map<E, Counter> counters(
      Class<E> events, String tag, String name, String description, String... tags) {
    Map<E, Counter> counters = new EnumMap<>(events);
    for (E event : events.getEnumConstants()) {
      counters.put(
          event,
          Counter.builder(name)
              .description(description)
              .tags(tags)
              .tag(tag, event.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
    return counters;
  }

  private Counter cacheCounter(String result) {
    return Counter.builder("latchkey.replay.cache")
        .description("Queries of the cache of completed responses")
        .tag("result", result)
        .register(registry);
  }

  private Counter counter(String name, String description) {
    return Counter.builder(name).description(description).register(registry);
  }

  /**
   * Begins a histogram with buckets from 100 us to 60 s.
   *
   * @param name of the meter
   * @param description of the meter
   * @return the builder
   */
  protected static Timer.Builder timer(String name, String description) {
    return Timer.builder(name).description(description).serviceLevelObjectives(BUCKETS);
  }
}
