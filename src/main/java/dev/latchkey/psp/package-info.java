/**
 * The payment service provider: the gateway that calls it, over HTTP or in-process, and a simulator
 * that stands in for it.
 */
@NullMarked
package dev.latchkey.psp;

import org.jspecify.annotations.NullMarked;
