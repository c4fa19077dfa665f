/** The implementation of the public API in {@code dev.latchkey.web}, which alone may import it. */
@NullMarked
package dev.latchkey.web.impl;

import org.jspecify.annotations.NullMarked;
