package dev.latchkey.core;

import dev.latchkey.core.spi.Effect;

/**
 * A write to the one ledger of a history.
 *
 * @param seenVersion how many writes the ledger had when the answer was rendered; more are refused
 * @param applies false is refused by the ledger whatever it holds
 */
record SimEffect(long seenVersion, boolean applies) implements Effect {

  @Override
  public String name() {
    return "ledger";
  }
}
