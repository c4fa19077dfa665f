/** Payments and customers in Redis, written by the very scripts that complete idempotency keys. */
@NullMarked
package dev.latchkey.ledger.redis;

import org.jspecify.annotations.NullMarked;
