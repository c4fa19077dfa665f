/**
 * Captures whatever a downstream handler answers, before a byte of it leaves, and writes stored
 * answers. Entry points: {@link dev.latchkey.web.capture.CaptureRoute}, {@link
 * dev.latchkey.web.capture.CapturingResponse} and {@link dev.latchkey.web.capture.Replay}.
 */
@NullMarked
package dev.latchkey.web.capture;

import org.jspecify.annotations.NullMarked;
