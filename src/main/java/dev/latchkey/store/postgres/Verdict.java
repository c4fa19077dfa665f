package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.StoreException;

/** What a statement over many keys said of one of them. */
sealed interface Verdict<R> {

  /** The call's result. */
  record Settled<R>(R result) implements Verdict<R> {}

  /**
   * The statement saw neither one thing nor the other, since the row changed under it: to be sent
   * again.
   *
   * @param tries how often at most
   * @param lastResort what to say when even the last one saw no more
   */
  record Again<R>(int tries, Verdict<R> lastResort) implements Verdict<R> {}

  /** The call cannot be answered. */
  record Failed<R>(StoreException failure) implements Verdict<R> {}
}
