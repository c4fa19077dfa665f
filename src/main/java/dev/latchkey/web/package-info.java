/**
 * A handler for the Vert.x Web router that makes retries safe.
 *
 * <p>An application creates one {@link dev.latchkey.web.IdempotencyNode} for its store. It puts
 * {@link dev.latchkey.web.IdempotencyNode#capture(io.vertx.core.Handler)} in front of its outermost
 * router, or {@link dev.latchkey.web.IdempotencyNode#capture()} as its first route, and an {@link
 * dev.latchkey.web.IdempotencyHandler} before the handlers that must execute once.
 */
@NullMarked
package dev.latchkey.web;

import org.jspecify.annotations.NullMarked;
