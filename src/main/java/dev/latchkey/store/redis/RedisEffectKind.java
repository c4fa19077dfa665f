package dev.latchkey.store.redis;

import dev.latchkey.core.spi.Effect;
import dev.latchkey.store.redis.connection.RedisScript;
import java.util.List;
import java.util.Optional;

/**
 * Effects of one kind, written by the script that completes their key. Stateless; called on any
 * thread.
 *
 * <p>The script calls {@link #lua} for each effect in order, once it knows that the claim is held.
 * Scripts do not roll back. So effects read and stage writes through {@code tx}, and everything is
 * written once all effects apply. A single effect may write at once, see {@link
 * #refusesBeforeItWrites}. No write may be able to fail.
 */
public interface RedisEffectKind {

  /**
   * Names the keys that an effect reads and writes.
   *
   * @param effect of this kind
   * @return names by {@link RedisKeys#name}; an effect with keys of another tenant than that of the
   *     completed key is refused
   */
  List<String> keys(Effect effect);

  /**
   * Names what an effect reserves for its tenant among all tenants, such as a charge. A reservation
   * is made first and stays even if the completion is refused: it only says that no other tenant
   * has the name.
   *
   * @param effect of this kind
   * @return names by {@link RedisKeys#global}, none for most effects; a name that another tenant
   *     has refuses the effect
   */
  default List<String> reservations(Effect effect) {
    return List.of();
  }

  /**
   * Returns the arguments of an effect.
   *
   * @param effect of this kind
   * @return texts (sent in UTF-8) or bytes
   */
  List<Object> args(Effect effect);

  /**
   * Returns a script that creates the one key it is given, without content, unless the key exists.
   * While a cluster moves a slot, only a script with a single key can create a key in it.
   *
   * @return empty if effects of this kind cannot be written in a slot that is being moved
   */
  default Optional<RedisScript> creator() {
    return Optional.empty();
  }

  /**
   * Whether {@link #lua} decides before its first {@code tx.set}, {@code tx.hset} or {@code
   * tx.write}, and cannot fail after it. If such an effect is the only one of its completion, it
   * writes at once, which costs the server less. It must not read what it has written.
   */
  default boolean refusesBeforeItWrites() {
    return false;
  }

  /**
   * Returns Lua that kinds share: local functions and constants. The same text of several kinds is
   * included once. Texts of other kinds may come before or after it.
   */
  default String prelude() {
    return "";
  }

  /**
   * Returns the body of a Lua function of {@code (keys, args, tx)}. It returns nil if the effect
   * applies, else the reason to refuse it.
   *
   * <p>{@code tx.get(key)} reads a string with the writes of earlier effects, nil if there is none;
   * {@code tx.set(key, value)} stages one; {@code tx.hget(key, field)} and {@code tx.hset(key,
   * field, value, ...)} do so for fields of a hash, and {@code tx.hmget(key, field, ...)} reads
   * several at once, as a list with false for none; {@code tx.write(command, ...)} stages any other
   * write, which must not be able to fail; {@code tx.now} is the server's time in milliseconds.
   */
  String lua();
}
