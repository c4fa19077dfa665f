/** The SQL about keys and receipts, and the values of its parameters and rows. */
@NullMarked
package dev.latchkey.store.postgres.sql;

import org.jspecify.annotations.NullMarked;
