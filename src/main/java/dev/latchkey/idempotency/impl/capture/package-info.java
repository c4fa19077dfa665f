/**
 * Captures whatever a downstream handler answers, before a byte of it leaves, and writes stored
 * answers. Entry points: {@link dev.latchkey.idempotency.impl.capture.CaptureRoute}, {@link
 * dev.latchkey.idempotency.impl.capture.CapturingResponse} and {@link
 * dev.latchkey.idempotency.impl.capture.Replay}.
 */
@NullMarked
package dev.latchkey.idempotency.impl.capture;

import org.jspecify.annotations.NullMarked;
