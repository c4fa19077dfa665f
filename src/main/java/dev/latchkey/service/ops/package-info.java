/** Operations: health, metrics, drain state, problem pages, logs. */
@NullMarked
package dev.latchkey.service.ops;

import org.jspecify.annotations.NullMarked;
