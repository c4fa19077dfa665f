/**
 * The control flow of the idempotency layer: who claims, parks, watches, takes over, completes,
 * resolves. It knows nothing of HTTP, owns no thread and reads no clock: all that it needs of the
 * world comes through {@link dev.latchkey.core.Surroundings}, {@link dev.latchkey.core.Loop} and
 * the store.
 *
 * <p>Reading order: {@code ControlFlow} (a request arrives), {@code Claiming}, {@code Finishing},
 * {@code Losing}, {@code Returning}, {@code Watching}, {@code Lot}, {@code Sweep}; {@code Entry}
 * and {@code Attempt} are the state.
 */
@NullMarked
package dev.latchkey.core;

import org.jspecify.annotations.NullMarked;
