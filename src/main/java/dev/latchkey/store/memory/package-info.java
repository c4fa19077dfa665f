/** Idempotency records in the memory of one process: for one node, and gone when it ends. */
@NullMarked
package dev.latchkey.store.memory;

import org.jspecify.annotations.NullMarked;
