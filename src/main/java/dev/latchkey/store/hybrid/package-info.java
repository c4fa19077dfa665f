/** Claims in one place, answers and effects in another that commits them together. */
@NullMarked
package dev.latchkey.store.hybrid;

import org.jspecify.annotations.NullMarked;
