/**
 * Captures the response of downstream handlers before any byte of it is sent, and sends stored
 * responses. Start at {@link dev.latchkey.web.capture.CaptureRoute} and {@link
 * dev.latchkey.web.capture.CapturingResponse}.
 */
@NullMarked
package dev.latchkey.web.capture;

import org.jspecify.annotations.NullMarked;
