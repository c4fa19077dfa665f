package dev.latchkey.bench;

import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;

/** Handles the requests of a baseline. Each verticle has an instance. */
interface Baseline extends Handler<RoutingContext> {

  /** The tenant of all benchmarks. */
  String TENANT = "default";

  /** Whether the route validates requests first. */
  boolean validates();
}
