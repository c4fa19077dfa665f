package dev.latchkey.core.spi;

/**
 * A business write as data. The store applies it in the same commit as the completion, or not at
 * all. The application and its store agree on the kinds of effects. Implementations are immutable.
 */
public interface Effect {

  /** Returns a short stable name, reported by {@link CompleteResult.EffectRefused}. */
  String name();
}
