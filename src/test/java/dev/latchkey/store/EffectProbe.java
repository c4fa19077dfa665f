package dev.latchkey.store;

import dev.latchkey.core.spi.Effect;

/** Three effects that the store under test applies, and a look at what they did. */
public interface EffectProbe {

  /** An effect that applies: afterwards {@link #isApplied} is true for the text. */
  Effect applies(String what);

  /** An effect that never applies; the store names it when it refuses. */
  Effect refused();

  /** An effect that adds one to a counter each time that it is applied. */
  Effect counts(String counter);

  /** Returns whether {@link #applies} was committed for the text. */
  boolean isApplied(String what);

  /** Returns how often {@link #counts} was committed for the counter. */
  long counted(String counter);
}
