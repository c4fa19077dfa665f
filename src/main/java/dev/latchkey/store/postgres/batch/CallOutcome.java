package dev.latchkey.store.postgres.batch;

import dev.latchkey.core.spi.StoreException;

/** The outcome of a statement over many calls for one of them. */
public sealed interface CallOutcome<R> {

  /** The call has a result. */
  record Done<R>(R result) implements CallOutcome<R> {}

  /**
   * The row changed while the statement ran, so the call is sent again.
   *
   * @param tries maximum number of statements for the call
   * @param lastResort the outcome if the last of them has no other
   */
  record Retry<R>(int tries, CallOutcome<R> lastResort) implements CallOutcome<R> {}

  /** The call failed. */
  record Failed<R>(StoreException failure) implements CallOutcome<R> {}
}
