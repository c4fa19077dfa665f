package dev.latchkey.service;

import dev.latchkey.service.ops.Readiness;
import dev.latchkey.web.IdempotencyNode;
import io.vertx.core.Handler;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.function.Consumer;

/**
 * The parts behind the HTTP front, one set per process.
 *
 * @param node shared by all keyed routes
 * @param checks of the stores, for readiness
 * @param keyNote records the idempotency key before authentication; passes every request on
 * @param api adds the routes under {@code /v1} to the router of a verticle, after authentication;
 *     called once per verticle, on its event loop
 */
public record ServiceParts(
    IdempotencyNode node,
    List<Readiness.Check> checks,
    Handler<RoutingContext> keyNote,
    Consumer<Router> api) {}
