package dev.latchkey.load;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses durations such as {@code 250ms}, {@code 10s}, {@code 5m}, {@code 24h}. */
final class DurationParser {
  private static final Pattern SHAPE = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

  private DurationParser() {}

  /**
   * Returns the duration in milliseconds.
   *
   * @throws IllegalArgumentException if the text is not a duration; the message is one line
   */
  static long millis(String text) {
    Matcher matcher = SHAPE.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a duration such as 250ms, 10s, 5m or 24h");
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> number;
      case "s" -> number * 1_000;
      case "m" -> number * 60_000;
      default -> number * 3_600_000;
    };
  }
}
