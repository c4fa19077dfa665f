/**
 * What stores share besides the SPI: claims that can be revoked, and receipts that override them.
 */
@NullMarked
package dev.latchkey.store;

import org.jspecify.annotations.NullMarked;
