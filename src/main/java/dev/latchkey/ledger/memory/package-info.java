/** Payments and customers in the memory of one process: for one node, and gone when it ends. */
@NullMarked
package dev.latchkey.ledger.memory;

import org.jspecify.annotations.NullMarked;
