package dev.latchkey.service;

import dev.latchkey.web.IdempotencyNode;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The parts behind the HTTP front, one set per process.
 *
 * @param node shared by all keyed routes
 * @param probe checks store and ledger; may be unbounded in time
 * @param keyNote records the idempotency key before authentication; passes every request on
 * @param api adds the routes under {@code /v1} to the router of a verticle, after authentication;
 *     called once per verticle, on its event loop
 */
public record ServiceParts(
    IdempotencyNode node,
    Supplier<Future<Void>> probe,
    Handler<RoutingContext> keyNote,
    Consumer<Router> api) {}
