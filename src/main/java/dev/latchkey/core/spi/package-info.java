/**
 * The interface of a store for idempotency records. The Javadoc of {@link
 * dev.latchkey.core.spi.IdempotencyStore} is the specification; {@code StoreContractTest} in the
 * test kit checks any store against it.
 */
@NullMarked
package dev.latchkey.core.spi;

import org.jspecify.annotations.NullMarked;
