/**
 * What makes two requests the same: the canonical form of a body, the fingerprint over it, the
 * member sketch that tells where two requests differ, and the keys derived from a request.
 */
@NullMarked
package dev.latchkey.web.fingerprint;

import org.jspecify.annotations.NullMarked;
