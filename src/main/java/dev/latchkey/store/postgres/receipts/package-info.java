/** Receipts: stored responses for a hybrid store, committed with the effects. */
@NullMarked
package dev.latchkey.store.postgres.receipts;

import org.jspecify.annotations.NullMarked;
