/** How the idempotency layer works inside. Imported by nobody but its own public package. */
@NullMarked
package dev.latchkey.web.impl;

import org.jspecify.annotations.NullMarked;
