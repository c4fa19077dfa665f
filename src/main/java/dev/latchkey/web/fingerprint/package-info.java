/**
 * Fingerprints, which decide whether two requests are the same; member sketches, which name the
 * members that differ; and the keys that a request uses towards other systems.
 */
@NullMarked
package dev.latchkey.web.fingerprint;

import org.jspecify.annotations.NullMarked;
