package dev.latchkey.server;

import dev.latchkey.idempotency.IdempotencyNode;
import io.vertx.core.Future;
import io.vertx.ext.web.Router;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What stands behind the HTTP front, once per process.
 *
 * @param node what all keyed routes share
 * @param probe asks store and ledger for a sign of life; need not be bounded in time
 * @param keyNotes adds the routes that only take note of idempotency keys, before authentication
 * @param api adds the routes under {@code /v1} to a verticle's router, behind authentication;
 *     called once a verticle, on its event loop
 */
public record ServiceParts(
    IdempotencyNode node,
    Supplier<Future<Void>> probe,
    Consumer<Router> keyNotes,
    Consumer<Router> api) {}
