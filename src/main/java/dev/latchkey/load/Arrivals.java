package dev.latchkey.load;

import java.util.OptionalLong;

/** The operations that are due. Times are nanoseconds of one clock. Confined to one event loop. */
interface Arrivals {

  /**
   * Takes the next operation.
   *
   * @param nowNanos the current time
   * @return when it was due; empty if none is due
   */
  OptionalLong next(long nowNanos);

  /** Returns whether no operation will be due again. */
  boolean over(long nowNanos);

  /**
   * Ends the arrivals.
   *
   * @return planned operations that were not taken
   */
  long abandon();

  /** Returns the operations that were due and found the backlog full. */
  long notStarted();
}
