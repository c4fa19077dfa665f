/**
 * Idempotency records in the memory of one process: for one node, and gone when it ends. Besides
 * the budget that all share who live in that memory.
 */
@NullMarked
package dev.latchkey.store.memory;

import org.jspecify.annotations.NullMarked;
