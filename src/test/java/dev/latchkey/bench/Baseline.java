package dev.latchkey.bench;

import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;

/** What stands behind the route of a baseline; one instance a verticle. */
interface Baseline extends Handler<RoutingContext> {

  /** The tenant of all benchmarks. */
  String TENANT = "default";

  /** Whether the route validates the request before it comes here. */
  boolean validates();
}
