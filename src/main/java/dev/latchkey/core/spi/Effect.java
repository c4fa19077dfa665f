package dev.latchkey.core.spi;

/**
 * A business write as data, applied by the store in the same commit as the completion or not at
 * all. What kinds there are is between an application and the store it set up. Implementations are
 * immutable.
 */
public interface Effect {

  /** A short stable name, given back by {@link CompleteResult.EffectRefused}. */
  String name();
}
