/**
 * Declarative effects: how an application's writes become part of the statement that completes a
 * key.
 */
@NullMarked
package dev.latchkey.store.postgres.effect;

import org.jspecify.annotations.NullMarked;
