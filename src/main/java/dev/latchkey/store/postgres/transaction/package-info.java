/** Completions in a transaction of several statements. */
@NullMarked
package dev.latchkey.store.postgres.transaction;

import org.jspecify.annotations.NullMarked;
