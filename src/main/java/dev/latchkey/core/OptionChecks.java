package dev.latchkey.core;

import dev.latchkey.core.spi.Expiry;

/** Checks of option values. */
public final class OptionChecks {

  /** The longest duration of an option, 100 years. */
  public static final long MAX_DURATION_MILLIS = Expiry.MAX_DURATION_MILLIS;

  private OptionChecks() {}

  /**
   * Checks that a number is positive.
   *
   * @param name of the option
   * @param value its value
   * @return the value
   * @throws IllegalArgumentException if it is not positive
   */
  public static long positive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " is " + value + ", it must be positive");
    }
    return value;
  }

  /**
   * Checks that a number is positive.
   *
   * @param name of the option
   * @param value its value
   * @return the value
   * @throws IllegalArgumentException if it is not positive
   */
  public static int positive(String name, int value) {
    return (int) positive(name, (long) value);
  }

  /**
   * Checks that a duration is positive, and limits it to {@link #MAX_DURATION_MILLIS}.
   *
   * @param name of the option
   * @param millis its value
   * @return the value or the limit
   * @throws IllegalArgumentException if it is not positive
   */
  public static long duration(String name, long millis) {
    return Math.min(positive(name, millis), MAX_DURATION_MILLIS);
  }
}
