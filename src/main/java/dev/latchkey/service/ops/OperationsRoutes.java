package dev.latchkey.service.ops;

import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** {@code /health/live}, {@code /health/ready} and {@code /metrics}. */
public final class OperationsRoutes {

  private static final long PROBE_LIMIT_MILLIS = 1_000;
  private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private final NodeMetrics metrics;
  private final Supplier<Future<Void>> probe;
  private final DrainState drain;

  /**
   * Creates the routes.
   *
   * @param metrics the metrics to render
   * @param probe checks store and ledger
   * @param drain state of the drain
   */
  public OperationsRoutes(NodeMetrics metrics, Supplier<Future<Void>> probe, DrainState drain) {
    this.metrics = metrics;
    this.probe = probe;
    this.drain = drain;
  }

  /** Whether a path is one of these routes, which work during the drain too. */
  public static boolean serves(String path) {
    return path.startsWith("/health/") || path.equals("/metrics");
  }

  public void mount(Router router) {
    router.get("/health/live").handler(ctx -> health(ctx, 200, "live"));
    router.get("/health/ready").handler(this::ready);
    router.get("/metrics").handler(this::scrape);
  }

  private void ready(RoutingContext ctx) {
    if (drain.isDraining()) {
      health(ctx, 503, "draining");
      return;
    }
    probe
        .get()
        .timeout(PROBE_LIMIT_MILLIS, TimeUnit.MILLISECONDS)
        .onSuccess(v -> health(ctx, 200, "ready"))
        .onFailure(e -> health(ctx, 503, "unavailable"));
  }

  private void scrape(RoutingContext ctx) {
    ctx.vertx()
        .executeBlocking(metrics::scrape, false)
        .onSuccess(
            text -> ctx.response().putHeader(HttpHeaders.CONTENT_TYPE, PROMETHEUS_TEXT).end(text))
        .onFailure(ctx::fail);
  }

  private static void health(RoutingContext ctx, int status, String state) {
    ctx.response().setStatusCode(status).putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    ctx.json(new JsonObject().put("status", state));
  }
}
