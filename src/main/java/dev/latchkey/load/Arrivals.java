package dev.latchkey.load;

import java.util.OptionalLong;

/** Says which operations may begin. Times are nanoseconds of one clock. Used from one loop. */
interface Arrivals {

  /**
   * Takes the next operation, for which there is room.
   *
   * @param nowNanos this moment
   * @return when it was meant to begin; empty when none is due
   */
  OptionalLong next(long nowNanos);

  /** Whether {@link #next} will never again return one. */
  boolean over(long nowNanos);

  /**
   * Gives the run up: nothing is taken after this.
   *
   * @return operations that the run was to send and did not
   */
  long abandon();

  /** Operations that fell due and found the backlog full. */
  long notStarted();
}
