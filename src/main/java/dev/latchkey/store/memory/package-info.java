/**
 * Idempotency records in the memory of one process: for one node, and gone when it ends. Besides
 * what whatever else lives in memory needs as well: the budget that all share, and records as bytes
 * with indexes over them ({@link dev.latchkey.store.memory.RecordLog}, {@link
 * dev.latchkey.store.memory.HashIndex}).
 */
@NullMarked
package dev.latchkey.store.memory;

import org.jspecify.annotations.NullMarked;
