package dev.latchkey.store.redis.script;

import dev.latchkey.core.spi.Effect;
import java.util.List;

/**
 * How effects of one kind are written by the very script that completes their key. Stateless;
 * called on any thread.
 *
 * <p>The script calls {@link #lua} for each effect in order, once it knows that the claim is still
 * held. A script does not roll back, so nothing is written meanwhile: effects read and stage
 * through {@code tx}, and all that was staged is written once every effect has applied. One that is
 * alone may write at once, see {@link #refusesBeforeItWrites}.
 */
public interface RedisEffectKind {

  /**
   * Names what an effect reads and writes.
   *
   * @param effect of this kind
   * @return names made by {@link RedisKeys#name}, all of the tenant whose key is completed; any
   *     other tenant's are refused
   */
  List<String> keys(Effect effect);

  /**
   * Names what an effect makes its tenant's own over all tenants, such as a charge. Made before
   * anything else, and kept also where the completion comes to nothing: a name that is reserved for
   * a tenant says no more than that no other has it.
   *
   * @param effect of this kind
   * @return names made by {@link RedisKeys#global}, none for most effects; one that is another
   *     tenant's already refuses the effect
   */
  default List<String> reservations(Effect effect) {
    return List.of();
  }

  /**
   * Returns what an effect says.
   *
   * @param effect of this kind
   * @return texts (sent in UTF-8) or bytes
   */
  List<Object> args(Effect effect);

  /**
   * Whether {@link #lua} comes to its decision before its first {@code tx.set}, {@code tx.hset} or
   * {@code tx.write}. An effect of such a kind that is the only one of its completion writes at
   * once, which costs the server less; it does not see what it has written itself. Where it is one
   * of several it is staged as any other.
   */
  default boolean refusesBeforeItWrites() {
    return false;
  }

  /**
   * Returns Lua that kinds share: local functions and constants, put once before the functions of
   * those kinds that return the same text. What other kinds return may come before or after it.
   */
  default String prelude() {
    return "";
  }

  /**
   * Returns the body of a Lua function of {@code (keys, args, tx)} that returns nil when the effect
   * applies, else why it is refused.
   *
   * <p>{@code tx.get(key)} reads a string as the effects before this one left it, nil when there is
   * none; {@code tx.set(key, value)} stages one; {@code tx.hget(key, field)} and {@code
   * tx.hset(key, field, value, ...)} do so for fields of a hash, and {@code tx.hmget(key, field,
   * ...)} reads several at once, as a list with false for none; {@code tx.write(command, ...)}
   * stages any other write, which must not be able to fail; {@code tx.now} is the server's time in
   * milliseconds.
   */
  String lua();
}
