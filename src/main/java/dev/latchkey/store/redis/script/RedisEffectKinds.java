package dev.latchkey.store.redis.script;

import dev.latchkey.core.spi.Effect;
import java.util.List;
import java.util.Optional;

/** What a Redis store can write with a completion. Called on any thread; stateless. */
public interface RedisEffectKinds {

  /** Knows no effects: all are refused. */
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

  /** Returns every kind there is, the same ones in the same order every time. */
  List<RedisEffectKind> all();

  /**
   * Finds how an effect is written.
   *
   * @param effect any effect
   * @return one of {@link #all}; empty for an effect that is to be refused
   */
  Optional<RedisEffectKind> kindOf(Effect effect);
}
