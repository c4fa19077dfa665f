/**
 * Records as bytes in large arrays, for those that stay ({@link dev.latchkey.packed.RecordLog}) and
 * those that pass through ({@link dev.latchkey.packed.ByteRing}), and indexes over them ({@link
 * dev.latchkey.packed.HashIndex}). There are millions, and the garbage collector has no object of
 * them to copy or to look through.
 */
@NullMarked
package dev.latchkey.packed;

import org.jspecify.annotations.NullMarked;
