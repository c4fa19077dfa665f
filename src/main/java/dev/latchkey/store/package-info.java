/**
 * What stores share besides the SPI: claims that can be revoked, and receipts that decide over
 * them.
 */
@NullMarked
package dev.latchkey.store;

import org.jspecify.annotations.NullMarked;
