package dev.latchkey.core;

import dev.latchkey.core.spi.Effect;

/**
 * A write to the one ledger of a history.
 *
 * @param seenVersion number of writes in the ledger when the response was rendered; more are
 *     refused
 * @param applies false if the ledger always refuses it
 */
record SimEffect(long seenVersion, boolean applies) implements Effect {

  @Override
  public String name() {
    return "ledger";
  }
}
