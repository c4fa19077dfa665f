/**
 * The idempotency layer: a handler for the Vert.x Web router that makes retries safe. It knows
 * nothing of the application it protects.
 *
 * <p>An application makes one {@link dev.latchkey.web.IdempotencyNode} for its store, sets {@link
 * dev.latchkey.web.IdempotencyNode#capture()} as the first route of its outermost router (or puts
 * {@link dev.latchkey.web.IdempotencyNode#capture(io.vertx.core.Handler)} in front of it), and puts
 * an {@link dev.latchkey.web.IdempotencyHandler} before the handlers that must run once.
 */
@NullMarked
package dev.latchkey.web;

import org.jspecify.annotations.NullMarked;
