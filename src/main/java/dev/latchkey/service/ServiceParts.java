package dev.latchkey.service;

import dev.latchkey.web.IdempotencyNode;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What stands behind the HTTP front, once per process.
 *
 * @param node what all keyed routes share
 * @param probe asks store and ledger for a sign of life; need not be bounded in time
 * @param keyNote only takes note of idempotency keys, before authentication; passes every request
 *     on
 * @param api adds the routes under {@code /v1} to a verticle's router, behind authentication;
 *     called once a verticle, on its event loop
 */
public record ServiceParts(
    IdempotencyNode node,
    Supplier<Future<Void>> probe,
    Handler<RoutingContext> keyNote,
    Consumer<Router> api) {}
