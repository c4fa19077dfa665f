package dev.latchkey.service.ops;

import dev.latchkey.web.MicrometerListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The metrics of a node in the Prometheus text format. No label holds a value that a client chose.
 * Thread-safe.
 */
public final class NodeMetrics extends MicrometerListener {

  private static final Logger LOG = LoggerFactory.getLogger("dev.latchkey.access");
  private static final long LAG_MILLIS = 100;
  private static final String OTHER = "other";
  private static final Pattern PARAMETER = Pattern.compile(":([A-Za-z0-9_]++)");
  private static final Set<HttpMethod> METHODS =
      Set.of(
          HttpMethod.GET,
          HttpMethod.HEAD,
          HttpMethod.POST,
          HttpMethod.PUT,
          HttpMethod.PATCH,
          HttpMethod.DELETE,
          HttpMethod.OPTIONS);

  private final PrometheusMeterRegistry registry;
  private final Counter authFailures;
  private final Timer lag;
  private final Map<List<String>, Timer> psp = new ConcurrentHashMap<>();
  private final Map<HttpLabels, Timer> http = new ConcurrentHashMap<>();
  private volatile boolean logsResponses;
  private final AtomicBoolean bound = new AtomicBoolean();

  private record HttpLabels(String method, String route, int status) {}

  /** Registers all series except the gauges of a node. */
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
    lag =
        timer("latchkey.event.loop.lag", "How late an event loop executes a task")
            .register(registry);
    for (String operation : List.of("charge", "capture", "cancel", "refund")) {
      for (String outcome : List.of("approved", "declined", "refused", "rejected", "unavailable")) {
        psp.put(List.of(operation, outcome), pspTimer(operation, outcome));
      }
    }
    http.computeIfAbsent(new HttpLabels("GET", "/metrics", 200), this::httpTimer);
  }

  /** Counts a 401. */
  public void authenticationFailed() {
    authFailures.increment();
  }

  /** Records a call to the PSP, retries included. */
  void pspCalled(String operation, String outcome, long nanos) {
    Timer timer = psp.get(List.of(operation, outcome));
    if (timer != null) {
      timer.record(nanos, TimeUnit.NANOSECONDS);
    }
  }

  /**
   * Records a response, under the template of the route that handled it, and logs it if {@link
   * #logResponses} was called.
   *
   * @param ctx the request, ended
   * @param nanos since the request head
   */
  public void responded(RoutingContext ctx, long nanos) {
    HttpMethod method = ctx.request().method();
    HttpLabels labels =
        new HttpLabels(
            METHODS.contains(method) ? method.name() : OTHER,
            template(ctx.currentRoute()),
            ctx.response().getStatusCode());
    http.computeIfAbsent(labels, this::httpTimer).record(nanos, TimeUnit.NANOSECONDS);
    if (logsResponses) {
      LOG.info(
          "{} {} {} {} ms",
          labels.method(),
          labels.route(),
          labels.status(),
          TimeUnit.NANOSECONDS.toMillis(nanos));
    }
  }

  /** Logs each response from now on: method, route, status and duration. */
  public void logResponses() {
    logsResponses = true;
  }

  /** Measures the lag of the current event loop until its verticle is undeployed. */
  public void measureLag(Vertx vertx) {
    long[] dueNanos = {System.nanoTime()};
    vertx.setPeriodic(
        LAG_MILLIS,
        id -> {
          long nowNanos = System.nanoTime();
          dueNanos[0] += TimeUnit.MILLISECONDS.toNanos(LAG_MILLIS);
          lag.record(Math.max(0, nowNanos - dueNanos[0]), TimeUnit.NANOSECONDS);
          dueNanos[0] = nowNanos;
        });
  }

  /**
   * Renders all metrics in the Prometheus text format. May block; not for an event loop.
   *
   * @return the text
   */
  public String scrape() {
    if (bound.compareAndSet(false, true)) { // not at startup, which it would delay
      new JvmMemoryMetrics().bindTo(registry);
      new JvmGcMetrics().bindTo(registry);
      new JvmThreadMetrics().bindTo(registry);
    }
    return registry.scrape();
  }

  /** Handlers that pass requests on have no methods and are no endpoints. */
  private static String template(@Nullable Route route) {
    return route == null || route.methods() == null || route.getPath() == null
        ? OTHER
        : PARAMETER.matcher(route.getPath()).replaceAll("{$1}");
  }

  private Timer httpTimer(HttpLabels labels) {
    return timer("http.server.requests", "Responses by route")
        .tag("method", labels.method())
        .tag("route", labels.route())
        .tag("status", Integer.toString(labels.status()))
        .register(registry);
  }

  private Timer pspTimer(String operation, String outcome) {
    return timer("latchkey.psp", "Duration of calls to the PSP, retries included")
        .tag("operation", operation)
        .tag("outcome", outcome)
        .register(registry);
  }
}
