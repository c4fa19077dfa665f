/** What stores share besides the SPI. */
@NullMarked
package dev.latchkey.store;

import org.jspecify.annotations.NullMarked;
