/** A store in Postgres, which completes a key in one commit with the effects of the application. */
@NullMarked
package dev.latchkey.store.postgres;

import org.jspecify.annotations.NullMarked;
