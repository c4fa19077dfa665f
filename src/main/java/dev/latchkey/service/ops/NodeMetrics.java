package dev.latchkey.service.ops;

import dev.latchkey.web.MicrometerListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/** The metrics of a node in the Prometheus text format. Thread-safe. */
public final class NodeMetrics extends MicrometerListener {

  private final PrometheusMeterRegistry registry;
  private final Counter authFailures;

  /** Registers all series except the gauge {@code latchkey_parked}. */
  public NodeMetrics() {
    this(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
  }

  private NodeMetrics(PrometheusMeterRegistry registry) {
    super(registry);
    this.registry = registry;
    authFailures =
        Counter.builder("latchkey.auth.failures")
            .description("Requests without a valid secret")
            .register(registry);
  }

  /** Counts a 401. */
  public void authenticationFailed() {
    authFailures.increment();
  }

  /**
   * Renders all metrics in the Prometheus text format. May block; not for an event loop.
   *
   * @return the text
   */
  public String scrape() {
    return registry.scrape();
  }
}
