/**
 * A store with claims in one place, and responses and effects in a ledger that commits them
 * together. The receipt in the ledger decides the response of a key.
 */
@NullMarked
package dev.latchkey.store.hybrid;

import org.jspecify.annotations.NullMarked;
