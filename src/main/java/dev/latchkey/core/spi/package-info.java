/**
 * What a store of idempotency records has to offer. The Javadoc of {@link
 * dev.latchkey.core.spi.IdempotencyStore} is the specification; {@code StoreContractTest} in the
 * test jar checks it over any store.
 */
@NullMarked
package dev.latchkey.core.spi;

import org.jspecify.annotations.NullMarked;
