/**
 * What stores share besides the SPI: claims that can be revoked, receipts that decide over them,
 * and how they wait for a connection and tell why there is none.
 */
@NullMarked
package dev.latchkey.store;

import org.jspecify.annotations.NullMarked;
