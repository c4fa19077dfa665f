/** Payments and customers in the memory of one process: for a single node, lost when it ends. */
@NullMarked
package dev.latchkey.ledger.memory;

import org.jspecify.annotations.NullMarked;
