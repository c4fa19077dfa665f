package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.ClaimResult;

/**
 * Whether the next claim is likely to find its key completed, going by the last ones. A look saves
 * a replay half of what it costs, and costs every other claim a statement more, so that it pays
 * from two replays in three on. Safe for any thread; counts of several at a time may be lost.
 */
final class ReplayGuess {

  /** So far must replays be ahead: single ones among new keys never get there. */
  static final int ENOUGH = 8;

  private static final int MOST = 2 * ENOUGH;

  private final int enough;
  private volatile int lead;

  ReplayGuess() {
    this(ENOUGH);
  }

  /**
   * Makes a guess that is harder or easier to convince.
   *
   * @param enough how far replays must be ahead; 0 = a look always pays
   */
  ReplayGuess(int enough) {
    this.enough = enough;
  }

  boolean pays() {
    return lead >= enough;
  }

  /** Takes what became of a claim. */
  void learn(ClaimResult result) {
    int before = lead;
    int after =
        result instanceof ClaimResult.Completed
            ? Math.min(MOST, before + 1)
            : Math.max(0, before - 2);
    if (after != before) {
      lead = after;
    }
  }

  /** Forgets what it learnt, since a look failed. */
  void forget() {
    lead = 0;
  }
}
