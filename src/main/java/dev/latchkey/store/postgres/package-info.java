/**
 * Idempotency records in Postgres, completed in one commit with the business writes beside them.
 */
@NullMarked
package dev.latchkey.store.postgres;

import org.jspecify.annotations.NullMarked;
