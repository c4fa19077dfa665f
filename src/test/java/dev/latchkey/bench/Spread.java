package dev.latchkey.bench;

import java.util.Arrays;
import java.util.Locale;

/**
 * Median and quartiles of measured values (linear interpolation).
 *
 * @param low the first quartile
 * @param median the second
 * @param high the third
 */
record Spread(double low, double median, double high) {

  static Spread of(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return new Spread(at(sorted, 0.25), at(sorted, 0.5), at(sorted, 0.75));
  }

  private static double at(double[] sorted, double part) {
    double place = part * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }

  /** As {@code median (low to high)}. */
  String text(int digits) {
    String one = "%,." + digits + "f";
    return String.format(Locale.ROOT, one + " (" + one + " to " + one + ")", median, low, high);
  }
}
