package dev.latchkey.service;

import dev.latchkey.net.TenantBudget;
import dev.latchkey.service.cli.ServeConfig;
import dev.latchkey.service.http.ApiDescription;
import dev.latchkey.service.http.Authentication;
import dev.latchkey.service.http.ErrorResponses;
import dev.latchkey.service.http.Http1Exchanges;
import dev.latchkey.service.http.RequestProblems;
import dev.latchkey.service.http.Tenant;
import dev.latchkey.service.ops.DrainState;
import dev.latchkey.service.ops.NodeMetrics;
import dev.latchkey.service.ops.OperationsRoutes;
import dev.latchkey.service.ops.ProblemPages;
import dev.latchkey.service.ops.Readiness;
import dev.latchkey.web.HeldRequests;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/** Creates the outermost router of a verticle. */
final class ServiceRouter {

  private final ServeConfig config;
  private final ServiceParts parts;
  private final NodeMetrics metrics;
  private final DrainState drain;
  private final Readiness readiness;
  private final TenantBudget held;

  ServiceRouter(ServeConfig config, ServiceParts parts, NodeMetrics metrics, DrainState drain) {
    this.config = config;
    this.parts = parts;
    this.metrics = metrics;
    this.drain = drain;
    readiness = new Readiness(parts.checks(), drain);
    held = config.heldBytes();
    metrics.held(held::taken);
  }

  /**
   * Creates a router, to be wrapped by the node's capture. Call it once per verticle.
   *
   * @param vertx the instance
   * @return a new router
   */
  Router create(Vertx vertx) {
    metrics.measureLag(vertx);
    Router router = Router.router(vertx);
    ErrorResponses.install(router);
    // For every path that can be decoded; the router responds 400 to the others.
    router.route("/*").handler(this::observe).handler(parts.keyNote()).handler(this::admit);
    router
        .route("/v1/*")
        .handler(new Authentication(config.apiKeys(), metrics::authenticationFailed));
    router.route("/v1/*").handler(new HeldRequests(held, Tenant::of, metrics));
    // From here on only handlers that respond: one that passes on would turn a 405 into a 404.
    // The API comes first because most requests are for it.
    parts.api().accept(router);
    if (config.operation().opsPort().isEmpty()) {
      new OperationsRoutes(metrics, readiness).mount(router);
    }
    new ProblemPages().mount(router);
    ApiDescription.mount(router);
    return withHead(router);
  }

  /** Creates the router of the listener for operators. */
  Router createForOperators(Vertx vertx) {
    Router router = Router.router(vertx);
    ErrorResponses.install(router);
    router.route().handler(this::observe);
    new OperationsRoutes(metrics, readiness).mount(router);
    return withHead(router);
  }

  private static Router withHead(Router router) {
    for (Route route : router.getRoutes()) {
      if (route.methods() != null && route.methods().contains(HttpMethod.GET)) {
        route.method(HttpMethod.HEAD);
      }
    }
    return router;
  }

  private void observe(RoutingContext ctx) {
    ctx.addHeadersEndHandler(
        v -> ctx.response().putHeader(HttpHeaders.DATE, ErrorResponses.date()));
    long fromNanos = System.nanoTime();
    ctx.addEndHandler(v -> metrics.responded(ctx, System.nanoTime() - fromNanos));
    ctx.next();
  }

  private void admit(RoutingContext ctx) {
    if (drain.isDraining() && !OperationsRoutes.serves(ctx.normalizedPath())) {
      RequestProblems.shuttingDown().send(ctx);
    } else if (!Http1Exchanges.accepts(ctx)) {
      RequestProblems.malformedChunks().send(ctx);
    } else {
      ctx.next();
    }
  }
}
