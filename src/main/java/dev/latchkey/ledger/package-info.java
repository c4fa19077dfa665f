/** The storage of payments and customers: values, reads, and writes as data. */
@NullMarked
package dev.latchkey.ledger;

import org.jspecify.annotations.NullMarked;
