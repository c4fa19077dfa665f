/**
 * The load generator and exactly-once auditor: sends every operation many times over, hangs up on
 * purpose, then asks the running service, and its PSP, what became of each key. It knows the
 * service by its HTTP interface alone.
 */
@NullMarked
package dev.latchkey.load;

import org.jspecify.annotations.NullMarked;
