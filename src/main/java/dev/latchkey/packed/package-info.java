/**
 * Records as bytes in large arrays ({@link dev.latchkey.packed.RecordLog}) and indexes over them
 * ({@link dev.latchkey.packed.HashIndex}), for what is kept by the million: the garbage collector
 * has no object of it to copy or to look through.
 */
@NullMarked
package dev.latchkey.packed;

import org.jspecify.annotations.NullMarked;
