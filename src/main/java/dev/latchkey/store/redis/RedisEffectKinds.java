package dev.latchkey.store.redis;

import dev.latchkey.core.spi.Effect;
import java.util.List;
import java.util.Optional;

/** The effects that a Redis store can write with a completion. Stateless; for any thread. */
public interface RedisEffectKinds {

  /** No effects: all are refused. */
  RedisEffectKinds NONE =
      new RedisEffectKinds() {
        @Override
        public List<RedisEffectKind> all() {
          return List.of();
        }

        @Override
        public Optional<RedisEffectKind> kindOf(Effect effect) {
          return Optional.empty();
        }
      };

  /** Returns all kinds, always in the same order. */
  List<RedisEffectKind> all();

  /**
   * Finds the kind of an effect.
   *
   * @param effect any effect
   * @return one of {@link #all}; empty for an effect to refuse
   */
  Optional<RedisEffectKind> kindOf(Effect effect);
}
