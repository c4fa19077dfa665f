package dev.latchkey.service.ops;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/**
 * {@code /health/live}, {@code /health/ready} and {@code /metrics}. One instance per event loop, so
 * that at most one rendering of the metrics per event loop is under way.
 */
public final class OperationsRoutes {

  private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private final NodeMetrics metrics;
  private final Readiness readiness;
  private @Nullable Future<String> rendering;

  /**
   * Creates the routes.
   *
   * @param metrics the metrics to render
   * @param readiness of the node
   */
  public OperationsRoutes(NodeMetrics metrics, Readiness readiness) {
    this.metrics = metrics;
    this.readiness = readiness;
  }

  /** Whether a path is one of these routes, which work during the drain too. */
  public static boolean serves(String path) {
    return path.startsWith("/health/") || path.equals("/metrics");
  }

  public void mount(Router router) {
    router
        .get("/health/live")
        .handler(ctx -> health(ctx, 200, new JsonObject().put("status", "live")));
    router.get("/health/ready").handler(this::ready);
    router.get("/metrics").handler(this::scrape);
  }

  private void ready(RoutingContext ctx) {
    Context loop = ctx.vertx().getOrCreateContext();
    readiness
        .report()
        .onSuccess(
            report -> {
              int status = report.getString("status").equals("up") ? 200 : 503;
              loop.runOnContext(v -> health(ctx, status, report));
            });
  }

  private void scrape(RoutingContext ctx) {
    Future<String> text = rendering;
    if (text == null || text.isComplete()) {
      text = ctx.vertx().executeBlocking(metrics::scrape, false);
      rendering = text;
    }
    text.onSuccess(
            it -> ctx.response().putHeader(HttpHeaders.CONTENT_TYPE, PROMETHEUS_TEXT).end(it))
        .onFailure(ctx::fail);
  }

  private static void health(RoutingContext ctx, int status, JsonObject report) {
    ctx.response().setStatusCode(status).putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    ctx.json(report);
  }
}
