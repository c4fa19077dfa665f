/**
 * The scripts that change and read keys in Redis, their arguments and results, and the effects that
 * a completing script can write.
 */
@NullMarked
package dev.latchkey.store.redis.script;

import org.jspecify.annotations.NullMarked;
