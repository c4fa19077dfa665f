/** Idempotency records in the memory of one process: for a single node, lost when it ends. */
@NullMarked
package dev.latchkey.store.memory;

import org.jspecify.annotations.NullMarked;
