/**
 * Idempotency records in Redis 6.2 or newer, one server or a cluster: every transition of a record
 * that is there is one script, and the business writes of a completion are part of it.
 */
@NullMarked
package dev.latchkey.store.redis;

import org.jspecify.annotations.NullMarked;
