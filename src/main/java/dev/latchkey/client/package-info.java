/** A client that retries requests under one idempotency key. */
@NullMarked
package dev.latchkey.client;

import org.jspecify.annotations.NullMarked;
