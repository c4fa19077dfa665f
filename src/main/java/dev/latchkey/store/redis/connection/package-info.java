/**
 * Pipelined connections to Redis, one server or a cluster: calls, redirections, outages, and one
 * subscription.
 */
@NullMarked
package dev.latchkey.store.redis.connection;

import org.jspecify.annotations.NullMarked;
