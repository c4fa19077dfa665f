package dev.latchkey.payments;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Times as RFC 3339 texts; responses have UTC with milliseconds. Pure. */
final class Rfc3339 {

  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final Pattern SYNTAX =
      Pattern.compile(
          "[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{1,9})?+"
              + "(?:[Zz]|[+-][0-9]{2}:[0-9]{2})");

  private Rfc3339() {}

  static String text(long epochMillis) {
    return FORMAT.format(Instant.ofEpochMilli(epochMillis));
  }

  /** How a part of a millisecond is rounded. */
  enum Rounding {
    DOWN,
    UP
  }

  /**
   * Reads a time, with any offset and up to nine decimals.
   *
   * @param text any text
   * @param rounding of the part below a millisecond
   * @return milliseconds since 1970; empty if the text is not such a time
   */
  static OptionalLong millis(String text, Rounding rounding) {
    if (!SYNTAX.matcher(text).matches()) {
      return OptionalLong.empty();
    }
    try {
      Instant time = OffsetDateTime.parse(text.toUpperCase(Locale.ROOT)).toInstant();
      long millis = time.toEpochMilli();
      boolean up = rounding == Rounding.UP && Instant.ofEpochMilli(millis).isBefore(time);
      return OptionalLong.of(up ? millis + 1 : millis);
    } catch (DateTimeException noSuchTime) {
      return OptionalLong.empty();
    }
  }
}
